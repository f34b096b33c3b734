const thousandthsPerPercent = 1_000
const whole = 100 * thousandthsPerPercent

/** `bold 25%, plain 75%`; a single variation needs no share. */
export function inShares(serves: readonly { variation: string; weight: number }[]): string {
  return serves
    .map(({ variation, weight }) => (weight === whole ? variation : `${variation} ${inPercent(weight)}`))
    .join(', ')
}

export const inPercent = (weight: number) => `${weight / thousandthsPerPercent}%`
