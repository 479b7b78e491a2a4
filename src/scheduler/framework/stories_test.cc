// Makes tests of the *_test.story files beside the code: see testing/stories/story.h.
#include "testing/stories/story.h"

BASALT_STORIES;
