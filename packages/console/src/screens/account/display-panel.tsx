import { setTheme, type Theme, useTheme } from '../../shell/theme.ts'
import { setTimeDisplay, type TimeDisplay, useTimeDisplay } from '../../shell/time-display.ts'
import { Radio, Switch } from '../../ui/form/choice.tsx'
import { setLettersOff, useLettersOff } from '../../ui/keyboard.tsx'
import { Panel } from '../../ui/panel.tsx'

const themes: readonly { value: Theme; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]
const displays: readonly { value: TimeDisplay; label: string; hint?: string }[] = [
  { value: 'environment', label: 'Environment', hint: 'The whole team sees the same times.' },
  {
    value: 'browser',
    label: `This browser (${Intl.DateTimeFormat().resolvedOptions().timeZone})`,
  },
  { value: 'utc', label: 'UTC' },
]

/** Appearance of the console for this account in this browser. Applies immediately. */
export function DisplayPanel() {
  const theme = useTheme()
  const display = useTimeDisplay()
  const lettersOff = useLettersOff()
  return (
    <Panel title="Display" note="saved in this browser">
      <div className="grid items-start gap-20 wide:grid-cols-3">
        <Radio label="Theme" choices={themes} value={theme} onValue={setTheme} />
        <Radio label="Time zone" choices={displays} value={display} onValue={setTimeDisplay} />
        <div className="grid content-start gap-6">
          <span className="font-medium">Keyboard</span>
          <Switch
            label="Single-key shortcuts"
            hint="Press ? to list them."
            checked={!lettersOff}
            onChecked={(on) => setLettersOff(!on)}
          />
        </div>
      </div>
    </Panel>
  )
}
