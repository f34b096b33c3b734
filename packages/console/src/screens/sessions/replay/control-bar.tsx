import { Button, IconButton } from '../../../ui/button.tsx'
import { Switch } from '../../../ui/form/choice.tsx'
import { KeyCap } from '../../../ui/form/field.tsx'
import { useShortcut } from '../../../ui/keyboard.tsx'
import { lengthText } from '../../../ui/text/measure-text.ts'
import { usePlayheadAt } from '../timeline/playhead-place.ts'
import type { Player } from './player.ts'
import { SpeedChoice } from './speed-choice.tsx'
import type { Played } from './use-playback.ts'
import { usePlayerState } from './use-player.ts'

type ControlBarProps = {
  player: Player
  played: Played
  /** Milliseconds since the session started. */
  length: number
  isRunning: boolean
}

const seekStep = 5_000

/** Playback controls: play and pause, seeking and speed, each with its shortcut. */
export function ControlBar({ player, played, length, isRunning }: ControlBarProps) {
  const isPlaying = usePlayerState(player, (state) => state.isPlaying)
  const isSkippingIdle = usePlayerState(player, (state) => state.isSkippingIdle)
  const speed = usePlayerState(player, (state) => state.speed)
  const isAtEnd = usePlayerState(player, (state) => state.at >= state.endsAt)
  const { trouble } = played
  const seekBy = (step: number) => played.seek(Math.min(length, Math.max(0, played.playback.at() + step)))

  useShortcut({ keys: 'Space', label: 'Play or pause', run: () => player.toggle() })
  useShortcut({ keys: 'ArrowLeft', label: 'Back 5 seconds', run: () => seekBy(-seekStep) })
  useShortcut({ keys: 'ArrowRight', label: 'Forward 5 seconds', run: () => seekBy(seekStep) })
  useShortcut({
    keys: 'i',
    label: 'Toggle skipping of idle time',
    run: () => player.setSkipIdle(!isSkippingIdle),
  })

  return (
    <div className="flex flex-wrap items-center gap-x-12 gap-y-6 border-line border-t px-12 py-6 max-wide:gap-x-4 pointer-coarse:[&_button:not([role=switch])]:min-h-ctl">
      <span className="flex items-center gap-4 max-wide:gap-0">
        <IconButton
          icon={isPlaying ? 'pause' : 'session'}
          look="primary"
          label={isPlaying ? 'Pause (space)' : 'Play (space)'}
          onClick={() => player.toggle()}
        />
        <Button size="small" look="quiet" title="Back 5 seconds" onClick={() => seekBy(-seekStep)}>
          −5&nbsp;s
        </Button>
        <Button size="small" look="quiet" title="Forward 5 seconds" onClick={() => seekBy(seekStep)}>
          +5&nbsp;s
        </Button>
      </span>
      <PlayTime played={played} length={length} />
      <Button size="small" onClick={trouble.next} disabled={trouble.next === undefined}>
        Next issue {trouble.left > 0 && <span className="text-text-3">{trouble.left}</span>}{' '}
        <KeyCap>n</KeyCap>
      </Button>
      {isRunning && isAtEnd && (
        <span className="inline-flex items-center gap-6 text-12">
          <span aria-hidden="true" className="size-8 rounded-round bg-ok-fill motion-safe:animate-live" />
          Live: new events are played here
        </span>
      )}
      <span className="ml-auto flex items-center gap-12 max-wide:ml-0">
        <Switch label="Skip idle" checked={isSkippingIdle} onChecked={(next) => player.setSkipIdle(next)} />
        <SpeedChoice speed={speed} onSpeed={(next) => player.setSpeed(next)} />
      </span>
    </div>
  )
}

/** Updated once a second, not on every frame. */
function PlayTime({ played, length }: { played: Played; length: number }) {
  const at = usePlayheadAt(played.playback, 1_000) ?? 0
  return (
    <span className="whitespace-nowrap wide:min-w-[86px]">
      <strong className="font-strong">{lengthText(Math.min(at, length))}</strong>
      <span className="text-text-3"> / {lengthText(length)}</span>
    </span>
  )
}
