// The tfjs backends: one program on whichever TensorFlow.js computes. Reference, fallback, and the way to a GPU; each is loaded only when
// it is asked for. Imported by backend/choose.ts and tests.
import type { Backend, Network } from './compute.ts';
import { makeTfjsAdam } from './tfjs/adam.ts';
import type { TfjsEngine } from './tfjs/engine.ts';
import { openInstalled } from './tfjs/installed.ts';
import { makeTfjsNetwork, type TfjsNetwork } from './tfjs/network.ts';

const engines = {
  'tfjs-cpu': async () => (await import('./tfjs/library.ts')).openShipped('cpu'),
  'tfjs-wasm': async () => (await import('./tfjs/library.ts')).openShipped('wasm'),
  'tfjs-node': () => openInstalled('@tensorflow/tfjs-node'),
  'tfjs-gpu': () => openInstalled('@tensorflow/tfjs-node-gpu'),
} satisfies Readonly<Record<string, () => Promise<TfjsEngine>>>;

export type TfjsName = keyof typeof engines;

/** Throws an Error that says why it cannot compute here. */
export async function openTfjs(name: TfjsName): Promise<Backend> {
  const engine = await engines[name]();
  return {
    name,
    device: engine.device,
    makeNetwork: (shape, parameters) => makeTfjsNetwork(engine, shape, parameters),
    makeAdam: (networks) => makeTfjsAdam(engine, networks.map((network) => own(network, name, engine))),
  };
}

function own(network: Network, name: string, engine: TfjsEngine): TfjsNetwork {
  if (!('engine' in network) || (network as TfjsNetwork).engine !== engine) throw new TypeError(`a network of another backend was given to the ${name} backend`);
  return network as TfjsNetwork;
}
