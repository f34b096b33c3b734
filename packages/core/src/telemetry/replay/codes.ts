// The numbers of the format `telltale-replay-1`, for the recorder, which writes them, and the decoder.
// See docs/reference/replay-format.md.

/** The first bytes of every segment: "TTR" and the version. */
export const magic = [0x54, 0x54, 0x52, 1] as const

/** Of records: what comes first in each. */
export const records = {
  time: 1,
  page: 2,
  insert: 3,
  remove: 4,
  text: 5,
  attribute: 6,
  attributeGone: 7,
  state: 8,
  shadow: 9,
  document: 10,
  sheet: 11,
  insertRule: 12,
  deleteRule: 13,
  declare: 14,
  undeclare: 15,
  adopt: 16,
  viewport: 17,
  zoom: 18,
  pointer: 20,
  press: 21,
  focus: 22,
  canvas: 23,
  note: 24,
  console: 25,
  request: 26,
} as const

/** Of what is in a page, an element or a shadow root. `end` closes it. States come before children. */
export const parts = {
  end: 0,
  element: 1,
  svg: 2,
  math: 3,
  text: 4,
  doctype: 5,
  known: 6,
  shadow: 7,
  document: 8,
  value: 9,
  checked: 10,
  unchecked: 11,
  scroll: 12,
  box: 13,
  open: 14,
  sheet: 15,
  defined: 16,
  playing: 17,
  paused: 18,
  adopted: 19,
  quirks: 20,
} as const

/** Of dialogs and popovers. */
export const openStates = ['closed', 'open', 'modal', 'popover'] as const

export const pressKinds = ['down', 'up', 'click', 'double-click', 'menu', 'touch', 'touch-end'] as const

export const consoleLevels = ['debug', 'log', 'info', 'warn', 'error', 'trace'] as const

export const requestKinds = ['fetch', 'xhr'] as const

/** What is recorded of a body: nothing, its allowed fields, their beginning, or why not. */
export const bodyStates = ['none', 'text', 'cut', 'not-allowed', 'too-large', 'binary', 'unread'] as const

/** Before a string that is written out and remembered, and one that is not. Other numbers less this: its index. */
export const strings = { remembered: 0, once: 1, known: 2 } as const

/** Longer ones are written out each time. */
export const rememberedLength = 200
/** A table of strings this large is not extended. */
export const rememberedAtMost = 65_536
/** Lengths are written in this part of a CSS pixel, the unit in which browsers place boxes. */
export const pixelParts = 64
