// The kernel module's exports. Compiled by the build into simd.wasm and relaxed.wasm (AssemblyScript); backend/simd drives them.
// Operations on offsets, one by one: a new layer (layer norm, GELU, attention) is a new file here and a new line below.
export { adam, squares } from './adam';
export { multiply, pack, packedSize, sumRows } from './gemm';
export { categoricalHead, valueHead } from './ppo-head';
