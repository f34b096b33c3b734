import { countText } from '../../ui/text/measure-text.ts'

type FacetRowProps = { label: string; count: number; share: number; isTicked: boolean; onTick: () => void }

export function FacetRow({ label, count, share, isTicked, onTick }: FacetRowProps) {
  return (
    <li>
      <label className="relative grid min-h-24 cursor-pointer grid-cols-[18px_minmax(0,1fr)_auto] items-center gap-x-4 rounded-chip pr-2 pl-2 text-12 hover:bg-hover">
        <input
          type="checkbox"
          checked={isTicked}
          onChange={onTick}
          className="size-12 cursor-pointer accent-ink"
        />
        <span title={label} className={`truncate ${count === 0 ? 'text-text-3' : ''}`}>
          {label}
        </span>
        <span className="text-text-3">{countText(count)}</span>
        <span
          aria-hidden="true"
          className="absolute bottom-0 left-24 h-2 rounded-chip bg-line-strong"
          style={{ width: `calc((100% - 24px) * ${share})` }}
        />
      </label>
    </li>
  )
}
