/** No list of sessions beside the funnel. */
export const nothingOpen = { step: undefined, value: undefined, outcome: undefined } as const
