// deps: basalt_base
// What the compiler and the linker were told to do for the program that ships, as its file shows.
#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace basalt::systemtest {
namespace {

// The `basalt` that was built beside this test program. Reads no further than the file goes.
class Program {
 public:
  Program() {
    const auto path = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "basalt";
    std::ifstream file(path, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
    header_ = At<Elf64_Ehdr>(0);
  }

  const Elf64_Ehdr& header() const { return header_; }
  bool IsElf64() const {
    return std::memcmp(header_.e_ident, ELFMAG, SELFMAG) == 0 &&
           header_.e_ident[EI_CLASS] == ELFCLASS64;
  }
  std::vector<Elf64_Phdr> Segments() const {
    std::vector<Elf64_Phdr> segments;
    for (int i = 0; i < header_.e_phnum; ++i) {
      segments.push_back(At<Elf64_Phdr>(header_.e_phoff + i * sizeof(Elf64_Phdr)));
    }
    return segments;
  }
  std::vector<Elf64_Phdr> Segments(Elf64_Word type) const {
    std::vector<Elf64_Phdr> all = Segments();
    std::erase_if(all, [&](const Elf64_Phdr& segment) { return segment.p_type != type; });
    return all;
  }
  // The bits of all entries with this tag; 0: there is none.
  Elf64_Xword Dynamic(Elf64_Sxword tag) const {
    Elf64_Xword bits = 0;
    for (const Elf64_Phdr& segment : Segments(PT_DYNAMIC)) {
      for (std::size_t at = 0; at < segment.p_filesz; at += sizeof(Elf64_Dyn)) {
        const auto entry = At<Elf64_Dyn>(segment.p_offset + at);
        if (entry.d_tag == tag) bits |= entry.d_un.d_val;
      }
    }
    return bits;
  }
  // What it takes from shared libraries.
  bool Imports(const std::function<bool(std::string_view)>& matches) const {
    for (int i = 0; i < header_.e_shnum; ++i) {
      const auto section = At<Elf64_Shdr>(header_.e_shoff + i * sizeof(Elf64_Shdr));
      if (section.sh_type != SHT_DYNSYM) continue;
      const auto names = At<Elf64_Shdr>(header_.e_shoff + section.sh_link * sizeof(Elf64_Shdr));
      for (std::size_t at = 0; at < section.sh_size; at += sizeof(Elf64_Sym)) {
        const auto symbol = At<Elf64_Sym>(section.sh_offset + at);
        const std::size_t name = names.sh_offset + symbol.st_name;
        if (symbol.st_shndx == SHN_UNDEF && name < bytes_.size() && matches(&bytes_[name])) {
          return true;
        }
      }
    }
    return false;
  }

 private:
  template <class T>
  T At(std::size_t offset) const {
    T value{};
    if (offset <= bytes_.size() && sizeof(T) <= bytes_.size() - offset) {
      std::memcpy(&value, &bytes_[offset], sizeof(T));
    }
    return value;
  }

  std::vector<char> bytes_;
  Elf64_Ehdr header_{};
};

class HardeningTest : public testing::Test {
 protected:
  void SetUp() override {
    if (std::string_view(BASALT_BUILD_TYPE) != "Release" ||
        !std::string_view(BASALT_SANITIZERS).empty()) {
      GTEST_SKIP() << "only the release preset is hardened; this is " << BASALT_BUILD_TYPE
                   << " with sanitizers '" << BASALT_SANITIZERS << "'";
    }
    ASSERT_TRUE(program_.IsElf64());
  }
  const Program program_;
};

TEST_F(HardeningTest, ItMayBeLoadedAnywhere) {
  EXPECT_EQ(program_.header().e_type, ET_DYN);
  EXPECT_EQ(program_.Segments(PT_INTERP).size(), 1u);
  EXPECT_TRUE(program_.Dynamic(DT_FLAGS_1) & DF_1_PIE);
  EXPECT_EQ(program_.Dynamic(DT_TEXTREL), 0u);
}

TEST_F(HardeningTest, WhatTheLoaderFillsInIsReadOnlyAfterwards) {
  EXPECT_EQ(program_.Segments(PT_GNU_RELRO).size(), 1u);
  EXPECT_TRUE((program_.Dynamic(DT_FLAGS) & DF_BIND_NOW) ||
              (program_.Dynamic(DT_FLAGS_1) & DF_1_NOW))
      << "functions would be looked up when first called, through a table that stays writable";
}

TEST_F(HardeningTest, NothingIsBothWritableAndExecutable) {
  const auto stack = program_.Segments(PT_GNU_STACK);
  ASSERT_EQ(stack.size(), 1u) << "without it the stack is executable";
  EXPECT_FALSE(stack[0].p_flags & PF_X);
  for (const Elf64_Phdr& segment : program_.Segments(PT_LOAD)) {
    EXPECT_NE(segment.p_flags & (PF_W | PF_X), Elf64_Word{PF_W | PF_X});
  }
}

TEST_F(HardeningTest, StackAndLibraryCallsAreChecked) {
  EXPECT_TRUE(program_.Imports([](std::string_view name) { return name == "__stack_chk_fail"; }));
  EXPECT_TRUE(program_.Imports([](std::string_view name) {
    return name.starts_with("__") && name.ends_with("_chk") && name != "__stack_chk_fail";
  }));
}

// What developers have looked at on the way: assertions of libraries, and the scheduler's books
// after each action, which takes longer than the action.
TEST_F(HardeningTest, ChecksOfDebugBuildsDoNotShip) {
  EXPECT_FALSE(program_.Imports([](std::string_view name) { return name == "__assert_fail"; }));
}

}  // namespace
}  // namespace basalt::systemtest
