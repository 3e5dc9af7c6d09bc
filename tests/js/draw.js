// Draws the orders that it reads as the pages do, and writes the layers: asked by tests/history/test_arrows.py.

import { text } from "node:stream/consumers";

import { arrowFor, readPlaces, Scene } from "../../static/js/arrows.js";

const SIGNS = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escape = (value) => String(value).replace(/[&<>"]/g, (sign) => SIGNS[sign]);

function write([name, attributes, ...children]) {
  const what = Object.entries(attributes).map(([key, value]) => ` ${key}="${escape(value)}"`);
  return `<${name}${what.join("")}>${children.map((child) => (typeof child === "string" ? escape(child) : write(child))).join("")}</${name}>`;
}

function draw({ places, tokens, lands, orders }) {
  const scene = new Scene(readPlaces(places), tokens, (province) => lands[province]);
  const arrows = orders.map(([order, label, points]) => arrowFor(order, label, points, scene.isRetreat)).filter(Boolean);
  return Object.entries(scene.draw(arrows)).map(([name, tags]) => [name, tags.map(write)]);
}

const scenes = JSON.parse(await text(process.stdin));
process.stdout.write(JSON.stringify(scenes.map((scene) => Object.fromEntries(draw(scene)))));
