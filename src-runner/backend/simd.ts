// The `simd` and `simd-relaxed` backends: kernels in WebAssembly SIMD, one thread, the same bits for the same seed. Relaxed SIMD may
// round differently from machine to machine, so it is a backend of its own name. Imported by backend/choose.ts and tests.
import type { Backend, Network } from './compute.ts';
import { makeSimdAdam } from './simd/adam.ts';
import type { KernelVariant } from './simd/kernel-module.ts';
import { makeSimdNetwork, type SimdNetwork } from './simd/network.ts';

export const simdBackend: Backend = backendOf('simd', 'simd');
export const relaxedBackend: Backend = backendOf('simd-relaxed', 'relaxed');

function backendOf(name: string, variant: KernelVariant): Backend {
  return {
    name,
    device: 'cpu',
    makeNetwork: (shape, parameters) => makeSimdNetwork(variant, shape, parameters),
    makeAdam: (networks) => makeSimdAdam(networks.map((network) => own(network, name, variant))),
  };
}

function own(network: Network, name: string, variant: KernelVariant): SimdNetwork {
  if (!('kernels' in network) || (network as SimdNetwork).variant !== variant) throw new TypeError(`a network of another backend was given to the ${name} backend`);
  return network as SimdNetwork;
}
