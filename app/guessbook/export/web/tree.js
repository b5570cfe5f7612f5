// The strategy tree, in the format of FORMAT.md.

/** Return the bytes of base64 of zlib data. */
async function inflated(text) {
  const packed = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Return the book in this page: its data are a line of JSON and planes of bytes. */
async function unpack(text) {
  const bytes = await inflated(text);
  const end = bytes.indexOf(10);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
  const game = gameOf(header.game);
  return { ...header, game, tree: new Tree(header, bytes.subarray(end + 1), game) };
}

/** Return a column of integers from its planes: the lowest byte of each value, then the next, ... */
function column(planes, nodes, width) {
  const values = new Uint32Array(nodes);
  for (let k = width - 1; k >= 0; k--) {
    for (let i = 0; i < nodes; i++) {
      values[i] = values[i] * 256 + planes[k * nodes + i];
    }
  }
  return values;
}

/** The columns of the tree. A node is an index, 0 is the root, and children are consecutive. */
class Tree {
  constructor({ nodes, widths }, planes, game) {
    let at = 0;
    const columns = widths.map((width) => {
      const part = planes.subarray(at, at + width * nodes);
      at += width * nodes;
      return column(part, nodes, width);
    });
    [this.guess, this.feedback, this.children] = columns;
    this.candidates = columns[3].map((surplus, node) => surplus + this.children[node]);
    this.first = new Uint32Array(nodes + 1);
    this.first[0] = 1;
    for (let node = 0; node < nodes; node++) {
      this.first[node + 1] = this.first[node] + this.children[node];
    }
    this.weights = game.weights && !game.outcomes ? this.weighed(game) : this.candidates;
  }

  /** The sum of the weights of the candidates of each node. */
  weighed(game) {
    const weights = new Uint32Array(this.candidates.length);
    for (let node = weights.length - 1; node >= 0; node--) {
      weights[node] = this.isCandidate(node) ? game.weight(this.guess[node]) : 0;
      for (let child = this.first[node]; child < this.first[node + 1]; child++) {
        weights[node] += weights[child];
      }
    }
    return weights;
  }

  /** Return the child of a node after a feedback; -1 if it solves the game or cannot occur. */
  child(node, feedback) {
    for (let child = this.first[node]; child < this.first[node + 1]; child++) {
      if (this.feedback[child] === feedback) {
        return child;
      }
    }
    return -1;
  }

  /** Return the node after a history; -1 if the history is off-book. */
  walk(history) {
    const left = new Map(history);
    if (left.size < history.length) {
      return -1; // one guess with two feedbacks
    }
    let node = 0;
    while (left.size && node >= 0) {
      const guess = this.guess[node];
      node = left.has(guess) ? this.child(node, left.get(guess)) : -1;
      left.delete(guess);
    }
    return node;
  }

  isCandidate(node) {
    return this.below(node) < this.candidates[node];
  }

  /** Return the number of candidates of all children of a node together. */
  below(node) {
    let sum = 0;
    for (let child = this.first[node]; child < this.first[node + 1]; child++) {
      sum += this.candidates[child];
    }
    return sum;
  }

  /** Return the weights of the cells of a node's guess; without weights, their sizes. */
  cells(node) {
    const cells = Array.from(this.weights.subarray(this.first[node], this.first[node + 1]));
    const own = this.weights[node] - cells.reduce((sum, cell) => sum + cell, 0);
    return own ? [...cells, own] : cells;
  }

  /** Return the weight of a node's candidates that the tree finds within `guesses` guesses, from it on. */
  found(node, guesses) {
    let [start, end] = [node, node + 1];
    for (let made = 0; made < guesses; made++) {
      [start, end] = [this.first[start], this.first[end]];
    }
    return this.weights.subarray(start, end).reduce((left, weight) => left - weight, this.weights[node]);
  }

  /**
   * Return the candidates at a node, in ascending order. Each candidate is the guess of one node in
   * the subtree. On each level, the nodes of the subtree are consecutive.
   */
  secrets(node) {
    const found = [];
    let [start, end] = [node, node + 1];
    while (start < end) {
      for (let below = start; below < end; below++) {
        if (this.isCandidate(below)) {
          found.push(this.guess[below]);
        }
      }
      [start, end] = [this.first[start], this.first[end]];
    }
    return found.sort((a, b) => a - b);
  }
}

/** The entropy in bits of a partition with cells of these sizes or weights. */
function entropy(sizes) {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const rest = sizes.reduce((sum, size) => sum + size * Math.log2(size), 0);
  return Math.max(0, Math.log2(total) - rest / total); // rounding may give less than 0 for one cell
}
