// Vertical positions of the lanes, in pixels.

export const laneHeight = 20
export const barHeight = 14
export const axisHeight = 18
const inset = (laneHeight - barHeight) / 2

export const topOf = (row: number) => row * laneHeight + inset
export const middleOf = (row: number) => row * laneHeight + laneHeight / 2
export const footOf = (row: number) => topOf(row) + barHeight
