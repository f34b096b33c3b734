import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { Flags } from '@telltale/browser/flags'
import { lazy, type ReactNode, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { isConfirmationAsked, listenToConfirmation } from '../api/confirmation.ts'
import { getSignedOut, listenToSignedOut } from '../api/session.ts'
import { getLocked, listenToLocked } from '../features/rollout/ending-evidence.ts'
import { IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { startKeyboard, useShortcut } from '../ui/keyboard.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { type NavTarget, useNavigation } from './navigation.ts'
import { useOwnFlags } from './own/use-own-flags.ts'
import { LazyPalette, loadPalette } from './palette/lazy-palette.tsx'
import { SideBar } from './side-bar.tsx'
import { switchTheme } from './theme.ts'
import { whenIdle } from './when-idle.ts'

// The console uses Telltale itself: owners show a message to all signed-in accounts with the flag
// `announcement` of the installation's own project.
const readKey = 'telltale.announcement-read'

function Announcement() {
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

const KeyList = lazy(() =>
  import('../features/keys/key-list.tsx').then(({ KeyList }) => ({ default: KeyList })),
)
const ConfirmSession = lazy(() =>
  import('./confirm-session.tsx').then(({ ConfirmSession }) => ({ default: ConfirmSession })),
)
const SignInAgain = lazy(() =>
  import('./sign-in-again.tsx').then(({ SignInAgain }) => ({ default: SignInAgain })),
)

const EvidenceEnd = lazy(() =>
  import('../features/rollout/evidence-end.tsx').then(({ EvidenceEnd }) => ({ default: EvidenceEnd })),
)

const smallKey = 'telltale.small-bar'
const narrow = matchMedia('(max-width: 1100px)')

/** The layout around a screen. */
export function Shell({ children }: { children: ReactNode }) {
  const [overlay, setOverlay] = useState<'palette' | 'keys'>()
  const [isSmall, setSmall] = useState(() => localStorage.getItem(smallKey) !== null)
  const isNarrow = useSyncExternalStore(listenToNarrow, () => narrow.matches)
  const isSignedOut = useSyncExternalStore(listenToSignedOut, getSignedOut)
  const isConfirming = useSyncExternalStore(listenToConfirmation, isConfirmationAsked)
  const locked = useSyncExternalStore(listenToLocked, getLocked)
  const targets = useNavigation()
  // On a wall, a screen has no bars.
  const isBare = useSearch({ strict: false, select: ({ tv }) => tv === true })
  useEffect(startKeyboard, [])
  // If this fails, opening the palette tries again and reports.
  useEffect(() => whenIdle(() => void loadPalette().catch(() => undefined)), [])
  useShortcut({ keys: 'mod+k', label: 'Command palette', run: () => setOverlay('palette'), always: true })
  useShortcut({ keys: '?', label: 'Keyboard shortcuts', run: () => setOverlay('keys') })
  useShortcut({ keys: 't', label: 'Switch theme', run: switchTheme })

  function rememberSmall(small: boolean) {
    setSmall(small)
    if (small) localStorage.setItem(smallKey, 'yes')
    else localStorage.removeItem(smallKey)
  }

  return (
    <>
      <a
        href="#content"
        className="fixed top-8 left-8 z-50 -translate-y-[200%] rounded-control bg-ink px-12 py-8 text-on-ink focus:translate-y-0"
      >
        Skip to content
      </a>
      {targets.map((target) => (
        <GoKey key={target.to} target={target} />
      ))}
      <div className={`grid min-h-dvh print:block ${isBare ? '' : 'wide:grid-cols-[auto_minmax(0,1fr)]'}`}>
        {!isBare && (
          <div className="contents print:hidden">
            <SideBar
              small={isSmall || isNarrow}
              onSmall={rememberSmall}
              onPalette={() => setOverlay('palette')}
              onKeys={() => setOverlay('keys')}
            />
          </div>
        )}
        <div className={`flex min-w-0 flex-col ${isBare ? '' : 'max-wide:pb-[56px]'}`}>
          <Announcement />
          {children}
        </div>
      </div>
      {!isBare && (
        <div className="contents print:hidden">
          <BottomBar onPalette={() => setOverlay('palette')} />
        </div>
      )}
      <Suspense>
        {overlay === 'palette' && <LazyPalette onClose={() => setOverlay(undefined)} />}
        {overlay === 'keys' && <KeyList onClose={() => setOverlay(undefined)} />}
        {locked && <EvidenceEnd locked={locked} />}
        {isConfirming && <ConfirmSession />}
        {isSignedOut && <SignInAgain />}
      </Suspense>
    </>
  )
}

function GoKey({ target }: { target: NavTarget }) {
  const { project } = useParams({ strict: false })
  const navigate = useNavigate()
  useShortcut(
    target.key === undefined || project === undefined
      ? undefined
      : {
          keys: `g ${target.key}`,
          label: target.label,
          run: () => void navigate({ to: target.to, params: { project } }),
        },
  )
  return null
}

function listenToNarrow(listener: () => void): () => void {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}
