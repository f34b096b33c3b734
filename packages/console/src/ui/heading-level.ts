import { createContext } from 'react'

/** The current heading level: a screen's title is level one, its panels are level two. */
export const HeadingLevel = createContext<2 | 3>(2)
