/* One variant of the engine: all of it as one unit, compiled for one vector width.
 *
 * ENGINE names the table of its functions, VARIANT the machine. Nothing else is visible from outside.
 */
#include "engine.h"

#include "codes.c"
#include "symmetry.c"
#include "workspace.c"
#include "bounds.c"
#include "scores.c"
#include "blacks.c"
#include "guess.c"
#include "cells.c"
#include "trees.c"
#include "ranking.c"
#include "logs.c"

#define ENTRY(name) {#name, (Function)name}

static const Entry entries[] = {
    ENTRY(codes_new),    ENTRY(codes_free),   ENTRY(workspace_new), ENTRY(workspace_free),
    ENTRY(fill_splits),  ENTRY(grow_trees),   ENTRY(find_guesses),  ENTRY(answer_guesses),
    ENTRY(split_node),   ENTRY(score_codes),  ENTRY(mark_lowest),   ENTRY(keep_distinct),
    ENTRY(answer_table), ENTRY(fit_candidates), ENTRY(rest_of),     ENTRY(complete_logs),
    {NULL, NULL},
};

const Engine ENGINE = {ENGINE_VERSION, VARIANT, entries};
