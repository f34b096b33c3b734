// A ClickHouse cluster of several shards on this machine, for the tests: real servers with their own folders, behind a
// balancer. What only replication can show is not tried here: a shard has one replica.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBalancer } from './balancer.ts'
import { freePorts } from './free-ports.ts'
import { type ClusterNode, createNode, type NodePlace } from './start-node.ts'

export const clusterName = 'main'

export interface Cluster extends AsyncDisposable {
  url: string
  nodes: readonly ClusterNode[]
  /** Restarts every node, as each has the list of all. */
  addShard(): Promise<void>
}

export async function startCluster(shards = 3): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'telltale-cluster-'))
  const places: NodePlace[] = []
  const nodes: ClusterNode[] = []

  async function addPlaces(count: number): Promise<void> {
    const ports = await freePorts(2 * count)
    for (let added = 0; added < count; added += 1) {
      const name = join(folder, `shard-${places.length}`)
      const [http = 0, tcp = 0] = ports.slice(2 * added)
      const place = { folder: name, config: `${name}.xml`, http, tcp }
      places.push(place)
      nodes.push(createNode(place))
    }
    const all = places.map(({ tcp }) => tcp)
    await Promise.all(places.map(({ config }, shard) => writeFile(config, renderConfig(all, shard))))
  }

  await addPlaces(shards)
  await Promise.all(nodes.map((node) => node.start()))
  const balancer = await startBalancer(nodes)
  return {
    url: balancer.url,
    nodes,
    async addShard() {
      await Promise.all(nodes.map((node) => node.kill()))
      await addPlaces(1)
      await Promise.all(nodes.map((node) => node.start()))
    },
    async [Symbol.asyncDispose]() {
      await balancer.close()
      await Promise.all(nodes.map((node) => node.kill()))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function renderConfig(ports: readonly number[], shard: number): string {
  const shards = ports.map(
    (port) => `<shard><replica><host>127.0.0.1</host><port>${port}</port></replica></shard>`,
  )
  return `<clickhouse>
  <logger><level>error</level><console>true</console></logger>
  <remote_servers><${clusterName}>${shards.join('')}</${clusterName}></remote_servers>
  <macros><shard>${shard + 1}</shard><replica>1</replica></macros>
  <mark_cache_size>67108864</mark_cache_size>
</clickhouse>
`
}
