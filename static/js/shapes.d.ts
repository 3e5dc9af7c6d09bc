// The shapes of what scripts hold and hand on, for the type checker alone: no page loads this.

type Sheet = import("./sheet.js").Sheet;
type OrderForm = import("./form.js").OrderForm;
type Lens = import("./zoom.js").Lens;

type Point = { x: number, y: number };
type Curve = { a: Point, control: Point, b: Point };
type Tag = [name: string, attributes: Record<string, string | number>, ...children: (Tag | string)[]];
type Deed = { kind: string, unit: string, target: string, aux: string };
type Order = Deed & { form: string };
type Arrow = Order & { title: string, points: number };
type Token = { location: string, colour: string, dislodged: boolean };

/** An order as a form lists it, under its heading. */
type Offer = { value: string, label: string, heading: string };
type Way = { value: string, label: string, path: string[] };
type Listed = [value: string, label: string, heading: string];
type Spellings = Map<string, { minor: string, order: string }>;
type Bid = { row: HTMLElement, minor: HTMLSelectElement, points: HTMLInputElement, order: HTMLSelectElement };

/** What the map asks of a form: to take orders, and to say what is chosen. */
type Orders = OrderForm & {
  state: unknown,
  order(select: HTMLSelectElement, value: string): void,
  bid(minor: string, order: string): boolean,
  bidOn(minor: string): Bid | undefined,
  addPoints(bid: Bid, more: number): void,
  clear(bid: Bid): void,
  left(): number,
};

type State = { orders: Record<string, string>, bids: string[][], text: string | null };
type Seen = { mark: string, after: string, came?: string };
type Draft = State & Seen;

/** What the page does about orders that were sent: stay, with what has changed on it, or be left. `isSame`: the form still
 *  holds what was sent. */
type Page = { saved(fresh: Document, isSame: boolean): void, leave(isSame: boolean): void };

/** A name around its middle, in units of the map; `hasMarks`: to its left and above it. */
type Name = Point & { size: number, letters: number, hasMarks: boolean };
/** The height that a view may have, or has to fill, and how much of it buttons cover. */
type Room = { height: number, readable: number, covered: number, isFilled: boolean };
type Act = (lens: Lens) => void;

type Ticket = [game: string, ticket: string];
type Message = {
  hello?: string[], heard?: string[], lost?: boolean, game?: string, version?: string, show?: boolean, want?: Ticket[],
};

/** What htmx tells. */
interface GlobalEventHandlersEventMap {
  "htmx:configRequest": CustomEvent, "htmx:beforeRequest": CustomEvent, "htmx:afterRequest": CustomEvent, "htmx:beforeSwap": CustomEvent,
}
declare var htmx: { process(part: Element): void, ajax(verb: string, address: string, where: object): Promise<void> };
/** The messages of the page's language, if that is not English. */
declare var django: { gettext(message: string): string, ngettext(one: string, many: string, n: number): string } | undefined;
