#include "base/steady_heap.h"
#include "cli/command.h"

int main(int argc, char** argv) {
  basalt::KeepHeapSteady();
  return basalt::cli::RunBasalt(argc, argv);
}
