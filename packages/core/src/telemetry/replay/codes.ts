// biome-ignore-all lint/performance/noBarrelFile: bundlers inline constants of modules, not members of objects

// The numbers of the format `telltale-replay-1`, for the recorder, which writes them, and the decoder.
// See docs/reference/replay-format.md.

/** The first bytes of every segment: "TTR" and the version. */
export const magic = [0x54, 0x54, 0x52, 1] as const

/** The states of dialogs and popovers, for the recorder; their names are in the same order. */
export * as opens from './open-codes.ts'
/** Of what is in a page, an element or a shadow root. `end` closes it. States come before children. */
export * as parts from './part-codes.ts'
/** Of records: what comes first in each. */
export * as records from './record-codes.ts'
/** Of strings: what comes first in each. */
export * as strings from './string-codes.ts'
export const openStates = ['closed', 'open', 'modal', 'popover'] as const

/** The same of presses. */
export * as presses from './press-codes.ts'
export const pressKinds = ['down', 'up', 'click', 'double-click', 'menu', 'touch', 'touch-end'] as const

export const consoleLevels = ['debug', 'log', 'info', 'warn', 'error', 'trace'] as const

export const requestKinds = ['fetch', 'xhr'] as const

/** What is recorded of a body: nothing, its allowed fields, their beginning, or why not. */
export const bodyStates = ['none', 'text', 'cut', 'not-allowed', 'too-large', 'binary', 'unread'] as const

/** Longer ones are written out each time. */
export const rememberedLength = 200
/** A table of strings this large is not extended. */
export const rememberedAtMost = 65_536
/** Lengths are written in this part of a CSS pixel, the unit in which browsers place boxes. */
export const pixelParts = 64
/** Frames of other origins that a page records, by their numbers from 1; within one another at most so deep. */
export const framesAtMost = 63
export const framesDeep = 3
