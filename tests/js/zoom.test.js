import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { factorOf, fitted, Lens, middleOf, spanOf } from "../../static/js/zoom.js";

const MAP = { width: 1000, height: 500, units: 2000 };
const near = (one, other) => assert.ok(Math.abs(one - other) < 1e-9, `${one} is not ${other}`);

/** In pixels of the unmoved map. */
const seenAt = (lens, at) => ({ x: (at.x - lens.x) / lens.scale, y: (at.y - lens.y) / lens.scale });

describe("on a large screen", () => {
  let lens = new Lens();
  beforeEach(() => {
    lens = new Lens();
    lens.show(lens.fit(1000, MAP, null), { x: 500, y: 250 });
  });

  test("the whole map is shown as it is", () => {
    assert.deepEqual([lens.x, lens.y, lens.scale, lens.height, lens.isWhole], [0, 0, 1, 500, true]);
  });

  test("the map is enlarged around the given point", () => {
    const at = { x: 300, y: 400 };
    const before = seenAt(lens, at);
    lens.by(2, at);
    const now = seenAt(lens, at);
    near(now.x, before.x);
    near(now.y, before.y);
    assert.deepEqual([lens.scale, lens.isWhole], [2, false]);
  });

  test("nothing beside the map shows, however far it is moved", () => {
    lens.by(2);
    lens.pan(5000, 5000);
    assert.deepEqual([lens.x, lens.y], [0, 0]);
    lens.pan(-5000, -5000);
    assert.deepEqual([lens.x, lens.y], [-1000, -500]);
  });

  test("the map never gets smaller than whole, and has a maximum size", () => {
    lens.by(0.01);
    assert.deepEqual([lens.x, lens.y, lens.scale], [0, 0, 1]);
    lens.by(1000);
    assert.equal(lens.scale, 9);
  });

  test("what was in the middle is shown there again", () => {
    lens.show(3, { x: 400, y: 200 });
    const { x, y } = lens.middle();
    near(x, 400);
    near(y, 200);
    lens.whole();
    assert.deepEqual([lens.x, lens.y, lens.scale], [0, 0, 1]);
  });

  test("a point of the screen is one point of the map, and back, however the map lies", () => {
    assert.deepEqual(lens.toView({ x: 2000, y: 1000 }), { x: 1000, y: 500 });
    lens.by(3, { x: 120, y: 430 });
    lens.pan(-37, 12);
    const place = lens.toMap({ x: 250, y: 99 });
    near(lens.toView(place).x, 250);
    near(lens.toView(place).y, 99);
    near(lens.toView({ x: place.x + 2, y: place.y }).x, 253);
    near(lens.pixels, 1.5);
  });

  test("one finger moves the map, two that go apart enlarge it around their middle", () => {
    lens.by(3);
    const { x, y } = lens;
    lens.drag([{ x: 10, y: 10 }], [{ x: -20, y: -10 }]);
    assert.deepEqual([lens.x, lens.y, lens.scale], [x - 30, y - 20, 3]);
    const before = seenAt(lens, { x: 200, y: 200 });
    lens.drag([{ x: 180, y: 200 }, { x: 220, y: 200 }], [{ x: 160, y: 200 }, { x: 240, y: 200 }]);
    assert.equal(lens.scale, 6);
    near(seenAt(lens, { x: 200, y: 200 }).x, before.x);
  });

  test("fingers that begin on one spot do not enlarge without end", () => {
    lens.drag([{ x: 5, y: 5 }, { x: 5, y: 5 }], [{ x: 5, y: 5 }, { x: 5, y: 8 }]);
    assert.equal(lens.scale, 3);
  });
});

test("a small screen opens the map large enough to be read, and can show all of it above the buttons", () => {
  const lens = new Lens();
  const opening = lens.fit(400, { width: 400, height: 200, units: 2000 }, { height: 480, readable: 0.68, covered: 52, isFilled: false });
  near(opening, 0.68 * 5);
  assert.equal(lens.height, 480);
  lens.show(opening, { x: 200, y: 100 });
  assert.equal(lens.isWhole, false);
  lens.whole();
  assert.deepEqual([lens.scale, lens.x, lens.y], [1, 0, 114]);
});

test("a map that is higher than a small screen can be made smaller than it is", () => {
  const lens = new Lens();
  lens.fit(400, { width: 400, height: 960, units: 400 }, { height: 480, readable: 0.68, covered: 52, isFilled: false });
  lens.whole();
  near(lens.scale, (480 - 52) / 960);
  near(lens.x, (400 - 400 * lens.scale) / 2);
  assert.equal(lens.y, 0);
  lens.by(2);
  lens.pan(0, -5000);
  near(lens.y + 960 * lens.scale, 480 - 52);
});

test("a view that fills the window stays as high, however small the map", () => {
  const lens = new Lens();
  const opening = lens.fit(900, { width: 900, height: 400, units: 900 }, { height: 700, readable: 0.93, covered: 52, isFilled: true });
  assert.deepEqual([opening, lens.height], [1, 700]);
  lens.whole();
  assert.deepEqual([lens.scale, lens.x, lens.y], [1, 0, 124]);
});

describe("what a map opens with", () => {
  const small = { height: 480, readable: 0.8, covered: 52, isFilled: false };
  const [left, right] = [{ x: 100, y: 150 }, { x: 300, y: 190 }];

  test("is in view, away from the edges and above the buttons, and no larger than can be read", () => {
    const lens = new Lens();
    const opening = lens.fit(400, { width: 400, height: 400, units: 800 }, small);
    lens.frame([left, right], opening);
    assert.equal(lens.scale, opening);
    lens.frame([left, right], 9);
    near(lens.scale, (400 - 32) / 200);
    near(lens.x + right.x * lens.scale, 400 - 16);
    near(lens.y + 170 * lens.scale, (480 - 52) / 2);
    lens.frame([{ x: 0, y: 0 }, { x: 400, y: 400 }], opening);
    assert.equal(lens.isWhole, true);
  });

  test("is what was seen, on a screen of another size too", () => {
    const [before, turned] = [new Lens(), new Lens()];
    before.fit(400, { width: 400, height: 400, units: 800 }, small);
    before.show(3, { x: 120, y: 160 });
    turned.fit(600, { width: 600, height: 600, units: 800 }, { ...small, height: 300 });
    turned.showAgain(before.seen);
    near(turned.pixels, before.pixels);
    near(turned.middle().x, 180);
    near(turned.middle().y, 240);
    before.whole();
    turned.showAgain(before.seen);
    assert.equal(turned.isWhole, true);
  });
});

test("a wheel enlarges upwards, by no more than its most at a time, and lines count for more than pixels", () => {
  const turn = { deltaY: -100, deltaMode: 0, ctrlKey: false };
  assert.ok(factorOf(turn) > 1);
  near(factorOf(turn) * factorOf({ ...turn, deltaY: 100 }), 1);
  assert.equal(factorOf({ ...turn, deltaY: -120 }), factorOf({ ...turn, deltaY: -9000 }));
  assert.equal(factorOf({ ...turn, deltaY: -3, deltaMode: 1 }), factorOf({ ...turn, deltaY: -90 }));
  assert.ok(factorOf({ ...turn, ctrlKey: true }) > factorOf(turn));
});

test("fingers have a middle and a span", () => {
  assert.deepEqual(middleOf([{ x: 0, y: 0 }, { x: 4, y: 2 }]), { x: 2, y: 1 });
  assert.equal(spanOf([{ x: 0, y: 0 }, { x: 3, y: 4 }]), 5);
});

describe("names", () => {
  const name = (x, size) => ({ x, y: 0, size, letters: 3, hasMarks: false });

  test("are as large as they are drawn where they can be read", () => {
    assert.deepEqual(fitted([name(0, 12)], 1).map(({ size }) => size), [12]);
  });

  test("are enlarged to 11 pixels where they would be smaller, or left out where they would meet a larger one", () => {
    assert.deepEqual(fitted([name(0, 12), name(30, 14), name(100, 12)], 0.5).map((it) => it && it.size * 0.5), [null, 11, 11]);
  });

  test("keep off the marks beside them as they grow, a few pixels at most", () => {
    const [{ x, y }] = fitted([{ ...name(0, 12), hasMarks: true }], 0.1);
    assert.deepEqual([x * 0.1, y * 0.1], [4, 4]);
  });
});
