// Walk the syntax trees of formulas. The page never compiles a text to script.
"use strict";

fieldpress.formulas = (() => {
  const { Fraction } = fieldpress.exact;
  const LADDER = [4, 6, 8, 10, 12];

  const fail = (message) => { throw new Error(message); };
  const isNumber = (value) => value instanceof Fraction;
  const number = (value) => (isNumber(value) ? value : fail("a number is missing"));
  const list = (value) => (Array.isArray(value) ? value : fail("a list is missing"));
  const sum = (values) => values.map(number).reduce((total, value) => total.plus(value), Fraction.ZERO);

  // Return whether a condition holds; none is no.
  const truth = (value) => {
    if (value === null || typeof value === "boolean") return value === true;
    return fail("a condition is neither yes nor no");
  };

  const isEqual = (a, b) => {
    if (isNumber(a) && isNumber(b)) return a.compare(b) === 0;
    if (Array.isArray(a) && Array.isArray(b)) {
      return a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
    }
    if ((isNumber(a) && typeof b === "boolean") || (typeof a === "boolean" && isNumber(b))) {
      return fail("yes or no is compared with a number");
    }
    return a === b;
  };

  const contains = (items, value) => list(items).some((item) => isEqual(item, value));

  const ARITHMETIC = {
    "+": (a, b) => (Array.isArray(a) && Array.isArray(b) ? [...a, ...b] : number(a).plus(number(b))),
    "-": (a, b) => number(a).minus(number(b)),
    "*": (a, b) => number(a).times(number(b)),
    "/": (a, b) => number(a).over(number(b)),
    "//": (a, b) => number(a).over(number(b)).floor(),
    "%": (a, b) => number(a).minus(number(a).over(number(b)).floor().times(b)),
  };

  const COMPARISONS = {
    "==": isEqual,
    "!=": (a, b) => !isEqual(a, b),
    "<": (a, b) => number(a).compare(number(b)) < 0,
    "<=": (a, b) => number(a).compare(number(b)) <= 0,
    ">": (a, b) => number(a).compare(number(b)) > 0,
    ">=": (a, b) => number(a).compare(number(b)) >= 0,
    in: (a, b) => contains(b, a),
    "not in": (a, b) => !contains(b, a),
  };

  const items = (values) => (values.length === 1 && Array.isArray(values[0]) ? values[0] : values).map(number);
  const best = (values, sign) =>
    items(values).reduce((most, value) => (most === null || value.compare(most) * sign > 0 ? value : most), null)
    ?? Fraction.ZERO;

  const sameLength = (a, b) => a.length === b.length || fail("two lists differ in length");

  const times = (values, counts) => {
    const many = Array.isArray(values) ? values : [values];
    const each = Array.isArray(counts) ? counts : many.map(() => counts);
    sameLength(many, each);
    return many.flatMap((value, index) => Array(Number(number(each[index]).n)).fill(value));
  };

  const where = (values, marks, mark) => {
    sameLength(list(values), list(marks));
    return values.filter((_, index) => isEqual(marks[index], mark));
  };

  const nth = (values, place) => {
    const ranked = list(values).map(number).sort((a, b) => b.compare(a));
    return ranked[Number(number(place).n) - 1] ?? fail(`a list has no number ${place}`);
  };

  const shift = (die, steps) => {
    if (die === null) return null;
    const rung = LADDER.indexOf(Number(number(die).n));
    if (rung < 0) fail(`D${die} is not on the ladder of dice`);
    return Fraction.of(LADDER[Math.min(Math.max(rung + steps, 0), LADDER.length - 1)]);
  };
  const steps = (count) => (count === undefined ? 1 : Number(number(count).n));

  const FUNCTIONS = {
    min: (...values) => best(values, -1),
    max: (...values) => best(values, 1),
    floor: (value) => number(value).floor(),
    ceil: (value) => number(value).ceil(),
    round_half_up: (value) => number(value).roundHalfUp(),
    count: (values) => Fraction.of(list(values).length),
    sum: (values) => sum(list(values)),
    nth,
    times,
    where,
    up: (die, count) => shift(die, steps(count)),
    down: (die, count) => shift(die, -steps(count)),
  };

  const matches = (cell, key) => {
    if (!Array.isArray(cell)) return isNumber(cell) === isNumber(key) && isEqual(cell, key);
    return isNumber(key) && cell.every(isNumber) && cell[0].compare(key) <= 0 && key.compare(cell[1]) <= 0;
  };

  // A table of rule data; a span in a key column matches every number inside it.
  class Table {
    constructor({ name, key, columns, rows }) {
      this.name = name;
      this.key = key;
      this.rows = rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, read(row[at])])));
    }

    find(keys) {
      return this.rows.find((row) => this.key.every((column, at) => matches(row[column], keys[at])))
        ?? fail(`the table ${this.name} has no row for ${keys.join(", ")}`);
    }
  }

  // Return a value of the data: whole numbers as they are, fractions as {"/": "3/2"}.
  const read = (value) => {
    if (typeof value === "number") return Fraction.of(value);
    if (Array.isArray(value)) return value.map(read);
    return value !== null && typeof value === "object" ? Fraction.of(value["/"]) : value;
  };

  // Values by name, with joined rows of tables that are looked up when a formula first reads them.
  class Values {
    constructor(values, join = []) {
      this.values = new Map(values);
      this.join = new Map(join);
    }

    get(name) {
      if (!this.values.has(name)) {
        if (!this.join.has(name)) fail(`${name} has no value`);
        this.values.set(name, run(this.join.get(name), this));
      }
      return this.values.get(name);
    }

    set(name, value) { this.values.set(name, value); }

    // Return these values with joined rows; with `each`, once for every entry of that list field.
    entries(each, join) {
      if (!each && !join.length) return [this];
      const records = each ? this.get(each) : [{}];
      return records.map((record) => new Values([...this.values, ...Object.entries(record)], join));
    }

    copy() { return new Values(this.values, this.join); }
  }

  const row = ([op, name, keys], values) =>
    op === "row" ? values.get(name).find(keys.map((key) => run(key, values))) : values.get(name);

  const compare = ([left, ...rest], values) => {
    let before = run(left, values);
    for (let at = 0; at < rest.length; at += 2) {
      const after = run(rest[at + 1], values);
      if (!COMPARISONS[rest[at]](before, after)) return false;
      before = after;
    }
    return true;
  };

  const OPERATIONS = {
    get: ([name], values) => values.get(name),
    row: (parts, values) => row(["row", ...parts], values),
    cell: ([from, column], values) => row(from, values)[column],
    each: ([name, column], values) => values.get(name).map((record) => record[column]),
    list: (parts, values) => parts.map((part) => run(part, values)),
    neg: ([part], values) => Fraction.ZERO.minus(number(run(part, values))),
    not: ([part], values) => !truth(run(part, values)),
    and: (parts, values) => parts.every((part) => truth(run(part, values))),
    or: (parts, values) => parts.some((part) => truth(run(part, values))),
    if: ([test, then, other], values) => run(truth(run(test, values)) ? then : other, values),
    compare,
    call: ([name, ...parts], values) => FUNCTIONS[name](...parts.map((part) => run(part, values))),
  };

  // Return the result of a tree: an operation with its parts in a list, or a constant.
  const run = (tree, values) => {
    if (!Array.isArray(tree)) return read(tree);
    const [name, ...parts] = tree;
    const sign = ARITHMETIC[name];
    return sign ? sign(run(parts[0], values), run(parts[1], values)) : OPERATIONS[name](parts, values);
  };

  return { FUNCTIONS, Table, Values, number, read, run, sum, truth };
})();
