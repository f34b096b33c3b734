// Before a string that is written out and remembered, and one that is not. Other numbers less the last: its index.

export const remembered = 0
export const once = 1
export const known = 2
