import { isMeasuredOnPart } from '@telltale/core/guard/users-so-far'
import { fullCountText } from '../../ui/text/measure-text.ts'

interface BothArms {
  treatment: number
  control: number
}

/**
 * `591 and 1,114 users`; for a metric without a value for some of them, `Measured on 580 of 591 and 1,100 of
 * 1,114 users`.
 */
export function measuredText(measured: BothArms, users: BothArms | undefined): string {
  const [treatment, control] = [fullCountText(measured.treatment), fullCountText(measured.control)]
  if (users === undefined || !isMeasuredOnPart(measured, users)) return `${treatment} and ${control} users`
  return `Measured on ${treatment} of ${fullCountText(users.treatment)} and ${control} of ${fullCountText(users.control)} users`
}
