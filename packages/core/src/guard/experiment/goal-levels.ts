// The error rate of an experiment, divided among its comparisons: each goal in each treatment gets an equal part.

/** The probability that an experiment without any difference ever calls one of its goals better or worse. */
export const experimentLevel = 0.05

/** In the order of the goals; the same for each treatment. */
export function goalLevels({ goals, treatments }: { goals: number; treatments: number }): number[] {
  const each = experimentLevel / Math.max(1, goals) / Math.max(1, treatments)
  return Array.from({ length: goals }, () => each)
}
