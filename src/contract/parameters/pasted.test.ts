import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS, type Operation, type OperationId } from '../operations/index.ts';
import { readPasted } from './pasted.ts';

function read(id: OperationId, name: string, text: string): unknown {
  const operation: Operation = OPERATIONS[id];
  const input = operation.readInput(readPasted(operation.parameters, [[name, text]]).pairs);
  return input.ok ? Object.entries(input.value).find(([key]) => key === name)?.[1] : null;
}

test('addresses of pages are read where a domain, a handle, a community or a post id is asked for', () => {
  for (const [id, name, text, value] of [
    ['registration', 'domain', 'https://www.acme-widgets.com/shop?a=1#b', 'acme-widgets.com'],
    ['registration', 'domain', 'HTTP://Acme.co.uk:8080', 'acme.co.uk'],
    ['traffic', 'domain', 'acme.com/about', 'acme.com'],
    ['app', 'handle', 'https://apps.shopify.com/acme-reviews?locale=de', 'acme-reviews'],
    ['app-reviews', 'handle', 'apps.shopify.com/acme-reviews/reviews', 'acme-reviews'],
    ['app-developer', 'handle', 'https://apps.shopify.com/partners/acme-widgets', 'acme-widgets'],
    ['appstore-category', 'handle', 'https://apps.shopify.com/categories/store-design/all', 'store-design'],
    ['forum-comments', 'postId', 'https://www.reddit.com/r/x/comments/abc123/a_title/?utm_source=share', 'abc123'],
    ['forum-comments', 'postId', 'https://redd.it/abc123', 'abc123'],
    ['forum-comments', 'postId', 'https://www.reddit.com/gallery/abc123', 'abc123'],
    ['forum-comments', 'postId', 'https://www.reddit.com/u/x/comments/abc123/', 'abc123'],
    ['forum-comments', 'postId', 'https://www.reddit.com/r/x/duplicates/abc123/a_title/', 'abc123'],
    ['forum-comments', 'postId', 'https://www.reddit.com/tb/abcdef', 'abcdef'],
    ['forum-comments', 'postId', 'reddit.com/abc123', 'abc123'],
    ['forum-comments', 'postId', '/r/x/comments/abc123/a_title/', 'abc123'],
    [
      'forum-comments',
      'postId',
      'https://www.reddit.com/over18?dest=https%3A%2F%2Fwww.reddit.com%2Fr%2Fx%2Fcomments%2Fabc123%2Fa_title%2F',
      'abc123',
    ],
    ['forum-comments', 'postId', 'https://old.reddit.com/login/?dest=%2Fr%2Fx%2Fcomments%2Fabc123%2F', 'abc123'],
    ['forum-community', 'community', 'https://www.reddit.com/r/webscraping.json', 'webscraping'],
    ['forum-community', 'community', 'https://www.reddit.com/user/Some-Body/submitted/', 'u_some-body'],
    ['forum-community', 'community', 'https://www.reddit.com/over18?dest=https%3A%2F%2Fwww.reddit.com%2Fr%2Fwebscraping%2F', 'webscraping'],
    ['forum-community', 'community', 'https://old.reddit.com/r/WebScraping/top/?t=day', 'webscraping'],
    ['forum-community', 'community', 'r/webscraping', 'webscraping'],
    ['forum-community', 'community', 'https://www.reddit.com/r/webscraping?sort=new', 'webscraping'],
  ] as const)
    assert.equal(read(id, name, text), value, text);
});

test('what was understood is given; other texts stay as they are and are refused as before', () => {
  const { parameters } = OPERATIONS.registration;
  assert.deepEqual(readPasted(parameters, [['domain', 'https://acme.com/x']]), {
    pairs: [['domain', 'acme.com']],
    understood: [{ name: 'domain', given: 'https://acme.com/x', value: 'acme.com' }],
  });
  for (const text of ['acme.com', 'not a domain', 'https://user:pw@acme.com/', 'ftp://acme.com', 'https://192.0.2.1/'])
    assert.deepEqual(readPasted(parameters, [['domain', text]]), { pairs: [['domain', text]], understood: [] }, text);
  for (const [id, name, text] of [
    ['app', 'handle', 'https://apps.shopify.com/categories/store-design'],
    ['app', 'handle', 'https://example.com/acme-reviews'],
    ['app-developer', 'handle', 'https://apps.shopify.com/acme-reviews'],
    ['forum-comments', 'postId', 'https://reddit.com.example/r/x/comments/abc123/'],
    // ids of files, a page of the site, a link to share that only the site resolves, and a list that a user made
    ['forum-comments', 'postId', 'https://v.redd.it/abc123def4567'],
    ['forum-comments', 'postId', 'https://i.redd.it/abc123def4567'],
    ['forum-comments', 'postId', 'https://www.reddit.com/explore'],
    ['forum-comments', 'postId', 'https://www.reddit.com/r/x/s/AbC123xyz0'],
    ['forum-community', 'community', 'https://www.reddit.com/user/x1/m/y2/'],
  ] as const)
    assert.equal(read(id, name, text), null, text);
});
