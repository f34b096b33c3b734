/** The query as the browser has it: the router would read a code of digits as a number, and round it. */
export const queryOnLoad = window.location.search
