// Makes tests of the *_test.story files beside the code: see
// testing/controllers/controller_story.h.
#include "testing/controllers/controller_story.h"

BASALT_CONTROLLER_STORIES;
