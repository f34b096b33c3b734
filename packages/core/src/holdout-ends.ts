/** What happens after the planned days of a holdout: nothing, it ends, or it ends and the next one begins with other users. */
export const holdoutEnds = ['continue', 'end', 'repeat'] as const
