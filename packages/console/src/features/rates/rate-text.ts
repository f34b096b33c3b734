import { countText } from '../../ui/text/measure-text.ts'

export function rateText(perMinute: number): string {
  return perMinute >= 10 ? countText(perMinute) : perMinute.toPrecision(2)
}
