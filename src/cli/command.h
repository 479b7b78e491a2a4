#pragma once

#include <functional>
#include <string>

namespace CLI {
class App;
}

// The subcommands of `basalt`: each file of this folder that adds one is named command_NAME.cc.
namespace basalt::cli {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailure = 1;  // it did not work
inline constexpr int kExitUsage = 2;    // it was not asked for properly

// What to do once the command line is understood. Set by the subcommand that was given.
using Action = std::function<int()>;

void AddUpCommand(CLI::App& app, Action& action);
void AddControllerCommand(CLI::App& app, Action& action);
void AddCheckCommand(CLI::App& app, Action& action);
void AddCrdsCommand(CLI::App& app, Action& action);
void AddSchedulerCommand(CLI::App& app, Action& action);
void AddShadowCommand(CLI::App& app, Action& action);
void AddWebhookCommand(CLI::App& app, Action& action);
void AddExplainCommand(CLI::App& app, Action& action);
void AddSimulateCommand(CLI::App& app, Action& action);
void AddDashboardCommand(CLI::App& app, Action& action);
void AddPodGroupCommand(CLI::App& app, Action& action);
void AddQueueCommand(CLI::App& app, Action& action);
void AddReservationCommand(CLI::App& app, Action& action);
void AddCompletionCommands(CLI::App& app, Action& action);
void AddDefragCommand(CLI::App& app, Action& action);
void AddDeschedulerCommand(CLI::App& app, Action& action);
void AddStatusCommand(CLI::App& app, Action& action);
void AddVersionCommand(CLI::App& app, Action& action);
void AddSimnodeCommand(CLI::App& app, Action& action);
void AddWorkloadsCommand(CLI::App& app, Action& action);
void AddJobCommand(CLI::App& app, Action& action);
void AddJobFlowCommands(CLI::App& app, Action& action);
void AddPodCommand(CLI::App& app, Action& action);

// The whole program.
int RunBasalt(int argc, const char* const* argv);

// "basalt: error: MESSAGE" on standard error.
void PrintError(const std::string& message);

}  // namespace basalt::cli
