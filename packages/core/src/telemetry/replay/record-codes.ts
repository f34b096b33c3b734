// Of records: what comes first in each. Constants of a module, which bundlers inline.

export const time = 1
export const page = 2
export const insert = 3
export const remove = 4
export const text = 5
export const attribute = 6
export const attributeGone = 7
export const state = 8
export const shadow = 9
export const document = 10
export const sheet = 11
export const insertRule = 12
export const deleteRule = 13
export const declare = 14
export const undeclare = 15
export const adopt = 16
export const viewport = 17
export const zoom = 18
export const pointer = 20
export const press = 21
export const focus = 22
export const canvas = 23
export const note = 24
export const console = 25
export const request = 26
export const frame = 27
