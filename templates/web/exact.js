// Exact fractions, as in the program: no figure is ever a decimal number.
"use strict";
globalThis.fieldpress ??= {};

fieldpress.exact = (() => {
  const POINT = fieldpress.say("."); // the sign before decimals
  const greatest = (a, b) => { while (b) [a, b] = [b, a % b]; return a < 0n ? -a : a; };

  class Fraction {
    constructor(numerator, denominator = 1n) {
      if (denominator === 0n) throw new Error("a division by zero");
      const common = greatest(numerator, denominator) * (denominator < 0n ? -1n : 1n);
      this.n = numerator / common;
      this.d = denominator / common;
      Object.freeze(this);
    }

    // Return the fraction of a whole number, or of a text such as "77/128".
    static of(value) {
      const [numerator, denominator = "1"] = String(value).split("/");
      return new Fraction(BigInt(numerator), BigInt(denominator));
    }

    plus(other) { return new Fraction(this.n * other.d + other.n * this.d, this.d * other.d); }
    minus(other) { return new Fraction(this.n * other.d - other.n * this.d, this.d * other.d); }
    times(other) { return new Fraction(this.n * other.n, this.d * other.d); }
    over(other) { return new Fraction(this.n * other.d, this.d * other.n); }
    floor() { return new Fraction(this.n / this.d - (this.n % this.d < 0n ? 1n : 0n)); }
    ceil() { return Fraction.ZERO.minus(Fraction.ZERO.minus(this).floor()); }
    roundHalfUp() { return this.plus(Fraction.HALF).floor(); }
    isWhole() { return this.d === 1n; }

    // Return a negative number, zero or a positive number, as sorting wants it.
    compare(other) {
      const left = this.n * other.d, right = other.n * this.d;
      return left < right ? -1 : left > right ? 1 : 0;
    }

    // Return "12", "9.6" or "1/3": a decimal of at most three places, or else a fraction.
    toString() {
      const thousandths = this.times(new Fraction(1000n));
      if (this.isWhole()) return String(this.n);
      return thousandths.isWhole() ? this.decimal(3).replace(/0+$/, "").replace(".", POINT) : `${this.n}/${this.d}`;
    }

    // Return the number with this number of decimal places and a point, rounded half up.
    decimal(places) {
      const scaled = this.times(new Fraction(10n ** BigInt(places))).roundHalfUp().n;
      const digits = String(scaled < 0n ? -scaled : scaled).padStart(places + 1, "0");
      const split = digits.length - places;
      return (scaled < 0n ? "-" : "") + (places ? `${digits.slice(0, split)}.${digits.slice(split)}` : digits);
    }
  }
  Fraction.ZERO = new Fraction(0n);
  Fraction.HALF = new Fraction(1n, 2n);

  // Return a chance in percent with this number of decimal places; never 0 if it is possible, nor 100 if it can fail.
  const percent = (chance, places = 1) => {
    const text = chance.times(new Fraction(100n)).decimal(places);
    if (Number(text) === 0 && chance.n) return places ? `<0${POINT}1` : "<1";
    return Number(text) === 100 && chance.n !== chance.d ? (places ? `>99${POINT}9` : ">99") : text.replace(".", POINT);
  };

  return { Fraction, POINT, percent };
})();
