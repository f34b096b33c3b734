/** Of a query that read the events of a part of the users; undefined if it read all. */
export const sampleText = (sample: number | undefined) =>
  sample === undefined || sample === 1 ? undefined : `Estimated from 1 in ${sample} users`

/** The note of a panel, with whether its counts are estimated. */
export const sampledNote = (note: string, loaded: { sample: number } | undefined) =>
  [note, sampleText(loaded?.sample)].filter(Boolean).join(' · ')
