// The `plain` backend: typed-array TypeScript, the readable reference that any faster backend is tested against.
// Imported by backend/choose.ts and tests.
import type { Backend, Network } from './compute.ts';
import { makePlainAdam } from './plain/adam.ts';
import { makePlainNetwork, type PlainNetwork } from './plain/network.ts';

export const plainBackend: Backend = {
  name: 'plain',
  device: 'cpu',
  makeNetwork: (shape, parameters) => makePlainNetwork(shape, parameters),
  makeAdam: (networks) => makePlainAdam(networks.map(own)),
};

function own(network: Network): PlainNetwork {
  if (!('gradient' in network)) throw new TypeError('a network of another backend was given to the plain backend');
  return network as PlainNetwork;
}
