package danger

import "testing"

func TestRequest(t *testing.T) {
	const multipart = "--b\r\nContent-Disposition: form-data; name=\"_method\"\r\n\r\ndelete\r\n--b--"
	for _, c := range []struct {
		method, url, body, wording string
		want                       Class
	}{
		{"GET", "http://a/orders", "", "", Reads}, {"GET", "http://a/orders?page=2&sort=delete", "", "", Reads},
		{"HEAD", "http://a/x", "", "", Reads}, {"OPTIONS", "http://a/x", "", "", Reads},
		{"GET", "http://a/articles/how-to-delete-a-file-on-linux", "", "", Reads}, {"GET", "http://a/posts/12", "", "", Reads},
		{"GET", "http://a/deleted", "", "", Reads}, {"GET", "http://a/items/5/edit", "", "", Reads},
		{"GET", "http://a/items/new", "", "", Reads}, {"GET", "http://a/checkout", "", "Checkout", Reads},
		{"GET", "http://a/search?q=delete+account", "", "Search", Reads}, {"GET", "http://a/app.js?v=3", "", "", Reads},
		{"GET", "http://a/sendgrid/logo.png", "", "", Reads},
		{"GET", "http://a/items/5/delete", "", "", Destroys}, {"GET", "http://a/delete.php?id=5", "", "", Destroys},
		{"GET", "http://a/deleteUser?id=5", "", "", Destroys}, {"GET", "http://a/items?action=delete&id=5", "", "", Destroys},
		{"GET", "http://a/?do=remove", "", "", Destroys}, {"GET", "http://a/cart?remove=5", "", "", Destroys},
		{"GET", "http://a/item_remove/7", "", "", Destroys}, {"GET", "http://a/unsubscribe/abc", "", "", Destroys},
		{"GET", "http://a/logout", "", "", Writes}, {"GET", "http://a/users/sign_out", "", "", Writes},
		{"GET", "http://a/auth/signOut", "", "", Writes}, {"GET", "http://a/index.php?action=logout", "", "", Writes},
		{"GET", "http://a/end?x=1", "", "Log out", Writes},
		{"GET", "http://a/items/5/toggle", "", "", Writes}, {"GET", "http://a/send?id=5", "", "", Sends},
		{"GET", "http://a/orders/5/approve", "", "", Sends}, {"GET", "http://a/x?id=5", "", "Delete", Unknown},
		{"GET", "http://a/shop?action=add&id=3", "", "", Writes}, {"GET", "http://a/?_method=DELETE", "", "", Destroys},
		{"POST", "http://a/orders", "customer=x", "Save", Writes}, {"POST", "http://a/login", "user=a&password=b", "Sign in", Writes},
		{"PUT", "http://a/orders/1", "{}", "", Writes}, {"PATCH", "http://a/orders/1", `{"status":"paid"}`, "", Writes},
		{"DELETE", "http://a/orders/1", "", "", Destroys}, {"POST", "http://a/orders/1", "_method=delete", "", Destroys},
		{"POST", "http://a/orders/1", "_method=patch&x=1", "", Writes}, {"POST", "http://a/orders/1?_method=DELETE", "", "", Destroys},
		{"POST", "http://a/orders/1", multipart, "", Destroys},
		{"POST", "http://a/orders/1/delete", "", "", Destroys}, {"POST", "http://a/orders", "action=delete&ids=1", "", Destroys},
		{"POST", "http://a/orders", "id=5", "Delete order", Destroys}, {"POST", "http://a/orders", "delete=Delete", "", Destroys},
		{"POST", "http://a/bulk", "id=5", "Löschen", Destroys},
		{"POST", "http://a/messages", "text=hi", "", Sends}, {"POST", "http://a/api/send", "", "", Sends},
		{"POST", "http://a/x", "to=a%40b.c&subject=hi&body=x", "", Sends}, {"POST", "http://a/x", `{"recipient":"a","message":"x"}`, "", Sends},
		{"POST", "http://a/x", "a=1", "Send", Sends}, {"POST", "http://a/checkout", "", "", Sends}, {"POST", "http://a/pay", "", "", Sends},
		{"POST", "http://a/orders/3/approve", "", "", Sends},
		{"POST", "http://a/page", "text=New+roof&summary=repainted&do%5Bsave%5D=1", "Save", Writes},
		{"POST", "http://a/page", "title=Barn&a=edit", "Save", Writes},
		{"POST", "http://a/page", "do%5Bsend%5D=1&summary=x&to=b", "Save", Sends},
		{"POST", "http://a/x", "do=Jan+Kowalski&temat=Dach", "Save", Sends}, {"POST", "http://a/x", "a=m%40b.it&oggetto=ciao", "", Sends},
		{"POST", "http://a/x", "do%5B%5D=jan%40b.pl&temat=Dach", "Save", Sends},
		{"POST", "http://a/graphql", `{"query":"query { orders { id deletedAt } }"}`, "", Reads},
		{"POST", "http://a/graphql", `{"query":"{ me { name } }"}`, "", Reads},
		{"POST", "http://a/graphql", `{"query":"mutation { updateOrder(id: 1, note: \"delete\") { id } }"}`, "", Writes},
		{"POST", "http://a/graphql", `{"query":"mutation M($id: ID!) { deleteOrder(id: $id) { id } }"}`, "", Destroys},
		{"POST", "http://a/graphql", `[{"query":"{ a }"},{"query":"mutation { x: sendInvoice(id: 1) }"}]`, "", Sends},
		{"POST", "http://a/graphql", `{"operationName":"DeleteUser","extensions":{"persistedQuery":{}}}`, "", Destroys},
		{"POST", "http://a/graphql", `{"operationName":"Frob","extensions":{}}`, "", Unknown},
		{"GET", "http://a/graphql?query=mutation%7BdeleteAll%7D", "", "", Destroys}, {"GET", "http://a/graphql?query=%7Bme%7D", "", "", Reads},
		{"POST", "http://a/rpc", `{"jsonrpc":"2.0","method":"user.delete","params":[1]}`, "", Destroys},
		{"POST", "http://a/rpc", `{"jsonrpc":"2.0","method":"listUsers"}`, "", Reads},
		{"POST", "http://a/rpc", `{"jsonrpc":"2.0","method":"frob"}`, "", Unknown},
		{"POST", "http://a/users", "name=x&send_user_notification=1", "Add user", Sends},
		{"POST", "http://a/users", "name=x&send_user_notification=0", "Add user", Writes},
		{"FROB", "http://a/x", "", "", Unknown}, {"PROPFIND", "http://a/dav", "", "", Reads}, {"GET", "http://a/%zz", "", "", Unknown},
	} {
		if got := Request(c.method, c.url, []byte(c.body), c.wording); got.Class != c.want {
			t.Errorf("%s %s %q %q\n\tis %s (%s), want %s", c.method, c.url, c.body, c.wording, got.Class, got.Why, c.want)
		}
	}
}

func FuzzRequest(f *testing.F) {
	f.Add("POST", "http://a/graphql", `{"query":"mutation { a { b } }"}`, "Send")
	f.Fuzz(func(t *testing.T, method, url, body, wording string) {
		Request(method, url, []byte(body), wording)
		Control("button", wording, method)
	})
}
