/* One variant of the engine: all its sources as one compilation unit, for one vector width.
 *
 * The compiler flags define ENGINE, the name of the table of functions; VARIANT, the name of the instruction
 * set; and LANE_BYTES, the size of a vector register (lanes.h). The unit exports only this table.
 */
#include "engine.h"

#include "checks.c"
#include "codes.c"
#include "symmetry.c"
#include "workspace.c"
#include "bounds.c"
#include "scores.c"
#include "blacks.c"
#include "cells.c"
#include "guess.c"
#include "trees.c"
#include "ranking.c"
#include "pairs.c"
#include "sums.c"
#include "transposition.c"
#include "most_cells.c"
#include "one_ply.c"
#include "pieces.c"
#include "optimum.c"
#include "identification.c"

#define ENTRY(name) {#name, (Function)name}

static const Entry entries[] = {
    ENTRY(codes_new), ENTRY(workspace_new), ENTRY(memory_free),
    ENTRY(fill_splits), ENTRY(grow_trees), ENTRY(find_guesses), ENTRY(answer_guesses),
    ENTRY(score_codes), ENTRY(mark_lowest), ENTRY(keep_distinct),
    ENTRY(sum_space_new), ENTRY(find_sum_guesses), ENTRY(score_sums),
    ENTRY(set_table_new), ENTRY(set_space_new),
    ENTRY(search_set), ENTRY(learn_set), ENTRY(bound_guesses), ENTRY(bound_batches),
    ENTRY(thing_space_new), ENTRY(grow_identification), ENTRY(search_identification),
    ENTRY(weight_within),
    ENTRY(split_nodes),
    ENTRY(search_pairs), ENTRY(first_beyond), ENTRY(first_outside),
    ENTRY(first_wrong_cost), ENTRY(first_wrong_node), ENTRY(most_told),
    {NULL, NULL},
};

const Engine ENGINE = {ENGINE_VERSION, VARIANT, entries};
