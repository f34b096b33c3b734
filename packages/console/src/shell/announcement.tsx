// The console is a customer of its own server: owners tell everybody who is signed in something with the flag
// `announcement` of the installation's own project.

import type { Flags } from '@telltale/browser/flags'
import { useState, useSyncExternalStore } from 'react'
import { IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { useOwnFlags } from './own/use-own-flags.ts'

const readKey = 'telltale.announcement-read'

export function Announcement() {
  const flags = useOwnFlags()
  return flags && <Announced flags={flags} />
}

function Announced({ flags }: { flags: Flags }) {
  const text = useSyncExternalStore(flags.onChange, () => flags.getString('announcement', ''))
  const [readText, setReadText] = useState(() => sessionStorage.getItem(readKey))
  if (text === '' || text === readText) return null

  function dismiss() {
    sessionStorage.setItem(readKey, text)
    setReadText(text)
  }

  return (
    <div role="status" className="flex items-start gap-10 bg-accent-soft px-gutter py-8">
      <Icon name="warning" className="mt-4 size-16 shrink-0 text-accent" />
      <p className="min-w-0 flex-1 text-pretty break-words py-[3px]">{text}</p>
      <IconButton icon="close" label="Dismiss the announcement" small onClick={dismiss} />
    </div>
  )
}
