import { Segmented } from '../../../ui/form/choice.tsx'
import { useShortcut } from '../../../ui/keyboard.tsx'
import { type Speed, speeds } from './player.ts'

type SpeedChoiceProps = { speed: Speed; onSpeed: (speed: Speed) => void }

/** The playback speed: by pointer, or by the number key. */
export function SpeedChoice({ speed, onSpeed }: SpeedChoiceProps) {
  return (
    <>
      {speeds.map((one) => (
        <SpeedKey key={one} speed={one} onSpeed={onSpeed} />
      ))}
      <Segmented
        label="Speed"
        value={String(speed)}
        choices={speeds.map((one) => ({ value: String(one), label: `${one}×` }))}
        onValue={(value) => {
          const chosen = speeds.find((one) => String(one) === value)
          if (chosen) onSpeed(chosen)
        }}
      />
    </>
  )
}

function SpeedKey({ speed, onSpeed }: SpeedChoiceProps) {
  useShortcut({ keys: String(speed), label: `Play at ${speed}× speed`, run: () => onSpeed(speed) })
  return null
}
