import type { DiskOutlook } from '../../api/usage.ts'
import { bytesText, signedText } from '../../ui/text/measure-text.ts'

type Forecast = NonNullable<DiskOutlook['volumes'][number]['forecast']>

/** `+1.2 GB a day (+0.9 GB to +1.5 GB)`. */
export function growthText({ low, likely, high }: Forecast['bytesPerDay']): string {
  const [least, usual, most] = [low, likely, high].map((value) => signedText(value, bytesText))
  return least === most ? `${usual} a day` : `${usual} a day (${least} to ${most})`
}

/** `in about 40 days (30 to 55)`; without an end where it may never be full. */
export function daysLeftText({ soonest, likely, latest }: Forecast['daysLeft']): string {
  if (soonest === null) return 'Not in the next ten years'
  const days = (value: number) => Math.floor(value).toLocaleString('en')
  if (likely === null) return `Not at the usual growth; in ${days(soonest)} days at the highest`
  if (latest === null) return `In about ${days(likely)} days (${days(soonest)} or later)`
  const range = days(soonest) === days(latest) ? '' : ` (${days(soonest)} to ${days(latest)})`
  return `In about ${days(likely)} days${range}`
}
