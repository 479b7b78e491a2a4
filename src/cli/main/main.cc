#include "cli/command.h"

int main(int argc, char** argv) { return basalt::cli::RunBasalt(argc, argv); }
