import type { FlagTelltale } from '../../api/telltales.ts'
import { Badge } from '../../ui/tag.tsx'
import { tagOf } from './telltale-words.ts'

/** Tells that no guard acts on the verdict. */
export function UnguardedTag({ telltale }: { telltale: FlagTelltale }) {
  const tag = tagOf(telltale)
  return tag === undefined ? null : <Badge>{tag}</Badge>
}
