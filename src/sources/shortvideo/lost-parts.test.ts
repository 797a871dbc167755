import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readVideoOembed } from './oembed/parse.ts';
import { readVideoPage } from './page/parse.ts';

const ID = '7301234567890123456';
const input = { url: `https://www.tiktok.com/@ann/video/${ID}` };
const answer = (body: unknown) => ({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)), url: '', atMs: 0 });
const ITEM = {
  id: ID,
  desc: 'A cup of #Tea',
  locationCreated: 'DE',
  author: { uniqueId: 'ann' },
  video: { duration: 15 },
  stats: { playCount: 7 },
  textExtra: [{ hashtagName: 'tea', type: 1 }],
  challenges: [{ title: 'tea' }],
};
function found(more: object) {
  const outcome = readVideoPage(answer({ statusCode: 0, itemInfo: { itemStruct: { ...ITEM, ...more } } }), input);
  assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
  return { ...outcome.resource, unread: outcome.unread ?? [] };
}

test('a region is a country of two letters; another word in its place is unread', () => {
  assert.deepEqual([found({}).region, found({ locationCreated: 'de' }).region], ['DE', 'DE']);
  for (const locationCreated of ['FAKE-AD', 'Germany', 'DEU', 'd1', 'Ü1']) {
    const { region, unread } = found({ locationCreated });
    assert.deepEqual([region, unread], [null, ['region']], locationCreated);
  }
  assert.deepEqual(found({ locationCreated: '' }).unread, []);
});

test('a hashtag in a form that is not known leaves the hashtags unread; a mention is none', () => {
  for (const lost of [
    { textExtra: [{ tag: 'tea', type: 1 }] },
    { textExtra: [{ hashtagName: 7, type: 1 }] },
    { challenges: [{ name: 'milk' }] },
  ])
    assert.deepEqual(found(lost).unread, ['hashtags'], JSON.stringify(lost));
  for (const mention of [
    { userId: '5', userUniqueId: 'bob', hashtagName: '', type: 0 },
    { secUid: 'MS4', hashtagName: '' },
  ])
    assert.deepEqual(found({ textExtra: [...ITEM.textExtra, mention] }).unread, [], JSON.stringify(mention));
});

test('a place for counts that holds none of them is unread; counts that are 0 or none are not', () => {
  for (const stats of [{}, { plays: 7, likes: 3 }]) assert.deepEqual(found({ stats }).unread, ['metrics'], JSON.stringify(stats));
  for (const stats of [{ playCount: 0 }, { playCount: -1 }, { diggCount: 3 }])
    assert.deepEqual(found({ stats }).unread, [], JSON.stringify(stats));
});

test('an empty object makes no picture post of a video', () => {
  const video = found({ imagePost: {} });
  assert.deepEqual([video.url, video.durationMs], [`https://www.tiktok.com/@ann/video/${ID}`, 15_000]);
  const picture = found({ imagePost: { images: [{ imageURL: { urlList: [] } }] }, video: {} });
  assert.deepEqual([picture.url, picture.durationMs], [`https://www.tiktok.com/@ann/photo/${ID}`, null]);
});

test('a video that is removed in some place, or perhaps something else, is not a deleted one', () => {
  const said = (statusMsg: string) => readVideoPage(answer({ statusCode: 10204, statusMsg, itemInfo: {} }), input).tag;
  for (const message of [
    'video is removed in your region',
    'item was removed for this country',
    'video was deleted or is not available in your country',
  ])
    assert.equal(said(message), 'blocked', message);
  for (const message of ['video was removed from your list', 'item is private or age restricted', 'item was deleted or made private'])
    assert.notEqual(said(message), 'absent', message);
  for (const message of [
    'status_deleted',
    'item was deleted',
    'Video has been removed.',
    'item is private',
    'status_deleted,cross_border_violation',
  ])
    assert.equal(said(message), 'absent', message);
});

test('an embed answer whose HTML shows another video than it names is about another video', () => {
  const embed = (id: string) =>
    readVideoOembed(
      answer({
        title: 'Tea',
        author_url: 'https://www.tiktok.com/@ann',
        embed_product_id: ID,
        html: `<blockquote data-video-id="${id}"></blockquote>`,
      }),
      input,
    ).tag;
  assert.deepEqual([embed(ID), embed('7301234567890123999')], ['found', 'changed']);
});

test('a hashtag with a type in another form is one, and without its name unread; a caption that cannot be read takes its hashtags along', () => {
  for (const type of ['1,0', { value: 1 }, [1]]) {
    assert.deepEqual(found({ textExtra: [{ hashtagName: 'milk', type }], challenges: [] }).hashtags, ['milk'], JSON.stringify(type));
    assert.deepEqual(found({ textExtra: [{ tag: 'milk', type }], challenges: [] }).unread, ['hashtags'], JSON.stringify(type));
  }
  const lost = found({ desc: { text: 'A cup of #Tea' }, textExtra: undefined, challenges: [] });
  assert.deepEqual([lost.hashtags, lost.unread], [[], ['description', 'hashtags']]);
});

test('the sound or the film in another form leaves its fields unread; pictures in another form are still pictures', () => {
  const wrapped = {
    music: { data: { title: 'Song', authorName: 'Bob' } },
    video: { data: { duration: 15, cover: 'https://p.example/c' } },
  };
  assert.deepEqual(found(wrapped).unread.toSorted(), ['coverUrl', 'durationMs', 'music.authorName', 'music.title']);
  assert.deepEqual(found({ music: { title: '', authorName: '', id: '5' } }).unread, []);
  for (const imagePost of [[{ imageURL: {} }], '{"images":[{}]}'])
    assert.equal(found({ imagePost }).url, `https://www.tiktok.com/@ann/photo/${ID}`, JSON.stringify(imagePost));
  for (const imagePost of [[], '', null]) assert.equal(found({ imagePost }).url, `https://www.tiktok.com/@ann/video/${ID}`);
});

test('the embed page states where a video was made, larger pictures of its author, and the pictures of a picture post', () => {
  const embed = (videoData: object) => {
    const outcome = readVideoPage(answer({ source: { data: { [`/embed/v2/${ID}`]: { code: 200, videoData } } } }), input);
    assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
    return outcome.resource;
  };
  const itemInfos = { id: ID, text: 'Tea', locationCreated: 'VN', playCount: 6, createTime: '1699951150' };
  const picture = embed({
    itemInfos,
    authorInfos: { uniqueId: 'ann', coversLarger: ['https://p.example/ann.jpeg'] },
    imagePostInfo: { displayImages: [{ urlList: ['https://p.example/1.jpeg', 'https://p.example/1b.jpeg'] }] },
  });
  assert.deepEqual(
    [picture.region, picture.author.avatarUrl, picture.coverUrl, picture.url],
    ['VN', 'https://p.example/ann.jpeg', 'https://p.example/1.jpeg', `https://www.tiktok.com/@ann/photo/${ID}`],
  );
});

test('in the format of the app an author is verified by words, and not by their absence', () => {
  const app = (author: object, more: object = {}) => {
    const body = {
      aweme_id: ID,
      statistics: { play_count: 7 },
      video: { duration: 1500 },
      author: { unique_id: 'ann', ...author },
      ...more,
    };
    const outcome = readVideoPage(answer({ aweme_detail: body }), input);
    assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
    return [outcome.resource.author.isVerified, outcome.unread ?? []];
  };
  for (const name of ['custom_verify', 'enterprise_verify_reason'])
    for (const words of ['Verified account', 'verified account', 'Verified Institution'])
      assert.deepEqual(app({ custom_verify: '', [name]: words }), [true, []], `${name} ${words}`);
  assert.deepEqual(app({ custom_verify: '', enterprise_verify_reason: '' }), [false, []]);
  assert.deepEqual(app({}), [null, []]);
  assert.deepEqual(app({ custom_verify: 'Chef of the year', enterprise_verify_reason: '' }), [null, ['author.isVerified']]);
});
