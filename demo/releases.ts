// The deploys of the shop, as its pipeline reported them.

import { newVersionAgo, versions } from './history/versions.ts'
import { ines, jonas, mara } from './people.ts'

const day = 86_400_000

export interface DemoDeploy {
  /** Milliseconds before the demo starts. */
  ago: number
  by: string
  version: string
  commits: { id: string; message: string; author: string }[]
}

export const deploys: DemoDeploy[] = [
  {
    ago: 7.6 * day,
    by: ines,
    version: versions.old,
    commits: [{ id: '41d0c8e7', message: 'Show the workshop as a place to collect', author: ines }],
  },
  {
    ago: newVersionAgo,
    by: jonas,
    version: versions.new,
    commits: [
      { id: '9b7f2a10', message: 'Search by meaning as well as by words', author: jonas },
      {
        id: 'c3e85d42',
        message: 'Ask for the price of a product before it is shown in the cart',
        author: mara,
      },
      { id: 'e02a6f95', message: 'Large pictures from every side', author: ines },
    ],
  },
]
