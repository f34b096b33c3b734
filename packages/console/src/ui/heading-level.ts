import { createContext } from 'react'

/** The level that headings have here: the title of a screen is the first one, those of its panels are the second. */
export const HeadingLevel = createContext<2 | 3>(2)
