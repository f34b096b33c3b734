import { useState } from 'react'
import type { Product } from '../../api/catalogue.ts'
import { pictureAt, pictureOf, useAnswer } from '../api.ts'

/** A single picture, rendered immediately. */
export function Picture({ product }: { product: Product }) {
  return (
    <figure className="gallery">
      <img src={pictureOf(product)} alt={product.name} width="480" height="360" />
    </figure>
  )
}

/** All views of a product. It loads the list of photos before it shows the first one, which makes it slow. */
export function Gallery({ product }: { product: Product }) {
  const answer = useAnswer<{ photos: string[]; takenAt?: string }>(`products/${product.id}/photos`)
  const [shown, setShown] = useState(0)
  const { photos = [], takenAt = '' } = answer ?? {}
  const photo = photos[shown]
  if (photo === undefined) return <figure className="gallery waiting" aria-busy="true" />

  return (
    <figure className="gallery">
      <img src={pictureAt(photo)} alt={product.name} width="480" height="360" />
      <figcaption>
        {photos.map((path, index) => (
          <button
            key={path}
            type="button"
            aria-label={`Picture ${index + 1}`}
            aria-pressed={index === shown}
            onClick={() => setShown(index)}
          >
            <img src={pictureAt(path)} alt="" width="120" height="90" />
          </button>
        ))}
        <small>Taken in {takenIn(takenAt)}</small>
      </figcaption>
    </figure>
  )
}

const month = new Intl.DateTimeFormat('en-IE', { month: 'long', year: 'numeric' })

/** Not every product has photos, and there is no check: the deliberate bug of the gallery. */
function takenIn(at: string): string {
  return month.format(new Date(at))
}
