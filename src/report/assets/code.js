// Source, diffs and Markdown as a person reads them.

const MOST_HIGHLIGHTED = 200000;  // characters: the highlighter's patterns take their time on huge files

hljs.configure({hideUpgradeWarningAcceptNoSupportOrSecurityUpdates: true});
// What CUDA adds to C++ (CUDA C++ Programming Guide, language extensions).
hljs.getLanguage('cpp').keywords.keyword += ' __global__ __device__ __host__ __shared__ __constant__ __managed__ __restrict__ ' +
  '__launch_bounds__ __cluster_dims__ __maxnreg__ __grid_constant__ __forceinline__ __noinline__';
hljs.getLanguage('cpp').keywords.built_in += ' threadIdx blockIdx blockDim gridDim warpSize __syncthreads __syncwarp';

const ENTITIES = {'&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"', '&#x27;': "'"};

// highlight.js gives HTML; only its own spans are taken over, everything else is text.
function highlightedNodes(source) {
  const html = hljs.highlight('cpp', source, true).value;
  const root = document.createDocumentFragment();
  const open = [root];
  for (const [token, name] of html.matchAll(/<span class="(hljs-[a-z_-]+)">|<\/span>|[^<]+|</g)) {
    const parent = open[open.length - 1];
    if (name) open.push(parent.appendChild(el('span', {class: name})));
    else if (token !== '</span>') parent.append(...textNodes(token.replace(/&(?:lt|gt|amp|quot|#x27);/g, (e) => ENTITIES[e])));
    else if (open.length > 1) open.pop();
  }
  return root;
}

function sourceBlock(source) {
  const block = el('pre', {class: 'source', tabindex: '0'});
  if (source.length > MOST_HIGHLIGHTED) block.append(...textNodes(source));
  else block.append(highlightedNodes(source));
  return block;
}

function diffBlock(diff) {
  const kind = (line) => line.startsWith('@@') ? 'line-place' : line.startsWith('+') ? 'line-plus' :
    line.startsWith('-') ? 'line-minus' : '';
  return el('pre', {class: 'diff', tabindex: '0'},
    diff.replace(/\n$/, '').split('\n').map((line) => el('span', {class: kind(line)}, line)));
}

function textBlock(text) {
  return el('pre', {class: 'wrap', tabindex: '0'}, text);
}
