package danger

import (
	"os"
	"strings"
	"testing"
)

// Each line stands under the class it has: the gravest thing it does.
var shellLines = map[Class]string{
	Reads: `
ls -la
cat a.txt | grep -v x | sort -k2 | uniq -c | head -3
find . -name '*.go' -newer go.mod
git status && git log --oneline -5
git branch --show-current
git push --dry-run
git config --get user.name
curl -s https://example.org/api/items?page=2
curl -I https://example.org
wget -qO- https://example.org/list
kubectl get pods -n shop
kubectl delete pod x --dry-run=client
docker ps -a
npm ls --depth 0
apt list --installed
pip show requests
psql -c 'select count(*) from orders where note = $$x$$'
psql shop -c "SELECT 'drop table orders'"
sqlite3 shop.db '.tables'
sqlite3 shop.db "select * from orders"
echo "rm -rf /"
printf '%s\n' 'mail bob'
sed -n '1,5p' notes.md
sed 's/red/green/' || true
awk -F, '{ if ($2 > 5) print $1, $3 }' orders.csv
awk '{sum+=$7} END {printf "%.2f\n", sum/NR}' t
tar tzf a.tgz
unzip -l a.zip
for f in *.csv; do wc -l "$f"; done
total=$(grep -c paid orders.csv); echo "$total"
systemctl status nginx
make --version
man rm
which shred
git diff 2>/dev/null
git stash list
grep -rl delete src | xargs wc -l
env LANG=C sort a
timeout 5 ping -c1 host
terraform plan
aws s3 ls s3://bucket
aws ec2 describe-instances
gh pr list
jq '.delete' a.json
crontab -l
rsync -avn --delete a/ b/
kill -0 123
redis-cli get x
command -v rm
dd if=/dev/zero bs=1M count=1
test -f rm && echo yes
if [ -f x ]; then cat x; fi
f() { ls; }; f
`,
	Writes: `
mkdir -p out
cp a b
mv a.txt old/
sort a > b
echo hi >> notes.md
grep x log > hits.txt 2>&1
sort -o a a
sed -i 's/a/b/' file
tee copy.txt < a
tar czf a.tgz dir
unzip a.zip
gzip -k a
git commit -m 'delete the old parser'
git checkout -b topic
git pull
git reset HEAD~1
scp host:/etc/motd .
rsync -a host:dir/ dir/
curl -o a.zip https://example.org/a.zip
wget https://example.org/a.zip
touch x; ls
psql -c "insert into t values (1)"
psql -c "update t set a = 1 where id = 2"
sqlite3 a.db "create table t (a)"
find . -name '*.png' -exec convert {} {}.jpg \;
find . -print0 | xargs -0 -n1 gzip
(cd out && touch a)
x=$(mktemp); date > "$x"
bash -c 'mkdir a && cp b a/'
rmdir empty
trash-put old.txt
chmod +x run.sh
ffmpeg -i a.mov a.mp4
pandoc a.md -o a.pdf
`,
	Unknown: `
frobnicate --all
./deploy.sh
make
python3 clean.py
$CMD file
"$(which rm)" x
bash script.sh
source ~/.profile
eval "$LINE"
go test ./...
npm run build
node -e 'require("fs").rmSync("a")'
sed 's/a/b/e' file
awk '{ system("rm " $1) }' list
PATH=/tmp/bin:$PATH ls
LD_PRELOAD=./x.so ls
git frobnicate
psql -f script.sql
sqlite3 a.db < script.sql
osascript -e 'tell app "Finder" to empty trash'
xdg-open report.pdf
curl -K conf
kubectl $VERB pods
git -c alias.x='!rm -rf .' x
cat 'unfinished
perl -pi -e 's/a/b/' f
docker exec web ls
tar --to-command=sh -xf a.tar
`,
	Installs: `
apt-get install -y jq
npm install
npm ci
yarn
pip install -r requirements.txt
python3 -m pip install requests
brew upgrade
cargo install ripgrep
go install golang.org/x/tools/gopls@latest
curl -fsSL https://example.org/install.sh | sh
wget -qO- https://example.org/x | bash -s -- --yes
bash <(curl -s https://example.org/x)
sh -c "$(curl -fsSL https://example.org/install.sh)"
cat list | xargs sh
npx create-react-app x
docker run --rm alpine ls
docker pull alpine
dpkg -i a.deb
gem install rails
snap install x
`,
	Sends: `
mail -s Report bob@example.org < report.txt
echo hi | mail bob@example.org
git push
git push origin main
curl -X POST https://example.org/items
curl -d a=1 https://example.org/items
curl -F file=@a.txt https://example.org/up
curl -XPUT https://example.org/items/1 -d @a.json
curl --json '{"a":1}' https://example.org/items
curl -T a.txt ftp://example.org/
http POST example.org/items name=x
http example.org/items name=x
wget --post-data a=1 https://example.org
ssh host uptime
scp a.txt host:
rsync -a dir/ user@host:/srv/dir/
nc host 80
kubectl apply -f a.yaml
kubectl scale deploy web --replicas=3
helm upgrade web ./chart
terraform apply
gh pr create --fill
npm publish
docker push repo/web
aws s3 cp a.txt s3://bucket/
gcloud compute instances create x
cat a > /dev/tcp/host/80
env X=1 nice -n 5 timeout 10 curl -X POST https://example.org/x
ls | while read f; do curl -d @"$f" https://example.org; done
redis-cli publish chan hi
lpr report.pdf
`,
	Escalates: `
sudo ls
sudo -u www cat log
doas cat /etc/shadow
su -c 'ls /root'
chmod u+s tool
chmod 4755 tool
chown root tool
systemctl restart nginx
mount /dev/sdb1 /mnt
echo x | tee /etc/motd
echo 1 > /proc/sys/vm/drop_caches
useradd bob
crontab plan.txt
iptables -A INPUT -j DROP
cp hosts /etc/hosts
psql -c "grant all on t to bob"
`,
	Destroys: `
rm a.txt
rm -rf build/
/bin/rm -f x
\rm x
'rm' x
r''m x
cd /tmp && rm -r x
ls; rm x
ls || rm x
(rm x)
{ rm x; }
if true; then rm x; fi
for f in *; do rm "$f"; done
echo $(rm x)
cat <(rm x)
f() { rm x; }; f
sudo rm -rf /
env A=1 rm x
nice -n 19 rm x
timeout 5 rm x
timeout -k 1 5 rm x
nohup rm x &
command rm x
exec rm x
time rm x
bash -c 'rm x'
bash -lc "cd a; rm $X"
sh -c "sh -c 'rm x'"
eval rm x
eval "rm" "$X"
trap 'rm -f tmp' EXIT
alias ls='rm -rf'; ls
xargs rm < list
find . -name '*.o' | xargs -0 -I{} rm {}
find . -name '*.o' | xargs sh -c 'rm "$@"' _
find . -name '*.o' -delete
find . -name '*.o' -exec rm {} +
find . -exec sh -c 'rm "$1"' _ {} \;
parallel rm ::: a b
watch -n 5 'rm x'
fd -e o -x rm
bash <<< 'rm x'
bash <<'EOF'
dd if=a.iso of=/dev/sda
mkfs.ext4 /dev/sdb1
> notes.md
: > notes.md && rm x
cat a > /dev/sda
truncate -s 0 log
shred -u key
cp /dev/null log
git push --force
git push -f origin main
git push origin +main
git push origin :topic
git push origin --delete topic
git -C dir push --force-with-lease
git reset --hard HEAD~3
git clean -fdx
git checkout -- .
git restore file.go
git branch -D topic
git stash drop
rsync -a --delete a/ b/
kubectl delete pod x
kubectl -n shop delete -f a.yaml
helm uninstall web
terraform destroy
docker system prune -f
docker rm -f web
docker compose down -v
psql -c "DROP TABLE orders"
psql shop --command='delete from orders where id = 1'
psql -c 'truncate orders'
psql -c "update orders set paid = true"
mysql -e "drop database shop"
mysql shop -e 'DELETE FROM a'
sqlite3 a.db 'drop table t'
redis-cli flushall
aws s3 rm s3://bucket/a
aws ec2 terminate-instances --instance-ids i-1
gcloud compute instances delete x
gh repo delete x
curl -X DELETE https://example.org/items/1
http DELETE example.org/items/1
curl 'https://example.org/items/1/delete'
curl -d _method=delete https://example.org/items/1
pkill -f server
shutdown -h now
crontab -r
history -c
userdel bob
:(){ :|:& };:
bomb() { bomb & bomb; }; bomb
rm x and mail y "unfinished
busybox rm x
`,
}

func TestCommand(t *testing.T) {
	for class, lines := range shellLines {
		for line := range strings.Lines(strings.Trim(lines, "\n")) {
			line = strings.TrimSuffix(line, "\n")
			if line == "bash <<'EOF'" {
				line += "\nrm x\nEOF"
			}
			if got := Command(line); got.Class != class {
				t.Errorf("%s\n\tis %s (%s), want %s", line, got.Class, got.Why, class)
			}
		}
	}
}

func TestALineWithSeveralEffects(t *testing.T) {
	f := Command("mail bob < a; rm a; sudo true")
	for c, want := range map[Class]bool{Sends: true, Destroys: true, Escalates: true, Installs: false, Unknown: false} {
		if f.Has(c) != want {
			t.Errorf("Has(%s) = %v", c, !want)
		}
	}
	if f.Class != Destroys || !f.Grave() {
		t.Errorf("%+v", f)
	}
}

// What stands in parentheses is a command in fish, also where zsh would take it for a pattern.
func TestLinesOfFish(t *testing.T) {
	for line, class := range map[string]Class{"set x (mail -s hi bob@x.example)": Sends,
		"not curl -X POST -d a=1 http://x.example/; or echo (date)": Sends, "echo (rm -rf out)": Destroys,
		"if test -f x; and rm -rf y; end": Destroys, "for f in *.log; rm -rf $f; end": Destroys} {
		if got := Command(line); !got.Has(class) {
			t.Errorf("%s: %s", line, got.Class)
		}
	}
}

func TestOverwritingDestroys(t *testing.T) {
	there := func(name string) bool { return name == "report.csv" }
	for line, want := range map[string]Class{
		"sort a > report.csv": Destroys, "sort a >| report.csv": Destroys, "sort a &> report.csv": Destroys, "sort a >> report.csv": Writes,
		"sort a > new.csv": Writes,
		"cp a report.csv":  Destroys, "cp -n a report.csv": Writes, "mv a report.csv": Destroys, "sort a | tee report.csv": Destroys,
		"sort a | tee -a report.csv": Writes, "dd if=a of=report.csv": Destroys,
	} {
		if got := CommandWithFiles(line, there); got.Class != want {
			t.Errorf("%s is %s, want %s", line, got.Class, want)
		}
	}
}

// The reason names what was recognised and never what was typed.
func TestReasonsRepeatNoInput(t *testing.T) {
	for _, line := range []string{"rm canary7", "curl -d canary7 https://canary7/x", "canary7 --x", "mail canary7", "git push canary7",
		"psql -c 'drop table canary7'", "ssh canary7", "aws canary7 x", "npm canary7", "kubectl canary7"} {
		if f := Command(line); strings.Contains(f.Why, "canary7") {
			t.Errorf("%s: %s", line, f.Why)
		}
	}
}

// Ordinary commands of a corpus that no rule was written for: all are judged without a panic, and most looking ones look.
func TestOrdinaryCommands(t *testing.T) {
	raw, err := os.ReadFile("../../capture/redact/testdata/plain_commands.txt")
	if err != nil {
		t.Fatal(err)
	}
	count := map[Class]int{}
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		f := Command(line)
		count[f.Class]++
		if os.Getenv("SHOW") == f.Class.String() {
			t.Log(line, "\t", f.Why)
		}
	}
	t.Log(count)
}

func FuzzCommand(f *testing.F) {
	for _, lines := range shellLines {
		for line := range strings.Lines(lines) {
			f.Add(line)
		}
	}
	f.Fuzz(func(t *testing.T, line string) { Command(line) })
}
