#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace basalt::controllers {

// A plugin's arguments: --name=value, -name value, or --name alone for a yes. What is asked for
// takes the value, or stays as it is; Complaints says what was given and not asked for, or could
// not be read. Lives while one plugin is made; one thread.
class PluginFlags {
 public:
  PluginFlags(std::string_view plugin, const std::vector<std::string>& arguments);

  void Text(std::string_view name, std::string& value);
  void Number(std::string_view name, std::int32_t& value);
  void YesNo(std::string_view name, bool& value);

  std::vector<std::string> Complaints() const;

 private:
  struct Given {
    std::string value;
    bool has_value = false;
    bool taken = false;
  };
  Given* Take(std::string_view name);
  void Complain(std::string_view name, std::string_view value, std::string_view expected);

  const std::string plugin_;
  std::map<std::string, Given, std::less<>> given_;
  std::vector<std::string> complaints_;
};

}  // namespace basalt::controllers
