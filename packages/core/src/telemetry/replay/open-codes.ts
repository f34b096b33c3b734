// Of dialogs and popovers: those from `modal` on are in the top layer.

export const closed = 0
export const open = 1
export const modal = 2
export const popover = 3
