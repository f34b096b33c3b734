import { useRef } from 'react'
import { useSettledText } from '../../ui/filter/filter-bar.tsx'
import { SearchField } from '../../ui/form/field.tsx'
import { useShortcut } from '../../ui/keyboard.tsx'
import { countOf, shareText } from '../../ui/text/measure-text.ts'
import type { FoundFunctions } from './find-functions.ts'

type FindFieldProps = {
  /** From the URL. */
  text: string
  onText: (text: string) => void
  /** Undefined without a search. */
  found?: FoundFunctions | undefined
}

/** Search as you type for functions by name or file. */
export function FindField({ text, onText, found }: FindFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useSettledText(text, onText)
  useShortcut({ keys: 'f', label: 'Search functions', run: () => field.current?.focus() })
  return (
    <span className="flex flex-wrap items-center gap-8">
      <span role="status" className="text-12 text-text-3 empty:hidden">
        {found && foundText(found)}
      </span>
      <SearchField
        ref={field}
        label="Search functions"
        keyCap="f"
        className="w-menu h-24!"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          if (typed === '') field.current?.blur()
          else setTyped('')
        }}
      />
    </span>
  )
}

function foundText({ keys, share }: FoundFunctions): string {
  if (keys.size === 0) return 'no matches'
  return `${countOf(keys.size, 'function')}, ${shareText(share)} of the time`
}
