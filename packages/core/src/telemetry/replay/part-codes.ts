// Of what is in a page, an element or a shadow root. `end` closes it. States come before children.

export const end = 0
export const element = 1
export const svg = 2
export const math = 3
export const text = 4
export const doctype = 5
export const known = 6
export const shadow = 7
export const document = 8
export const value = 9
export const checked = 10
export const unchecked = 11
export const scroll = 12
export const box = 13
export const open = 14
export const sheet = 15
export const defined = 16
export const playing = 17
export const paused = 18
export const adopted = 19
export const quirks = 20
