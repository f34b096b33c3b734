// Of presses: what the pointer did.

export const down = 0
export const up = 1
export const click = 2
export const doubleClick = 3
export const menu = 4
export const touch = 5
export const touchEnd = 6
